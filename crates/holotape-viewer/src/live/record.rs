//! `/api/live/record`: connections of recording clients.

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocketUpgrade};
use axum::response::Response;
use holotape::stream::protocol::HELLO_TIMEOUT;
use holotape::stream::{CloseReason, ConnectionId, Hello, Outgoing, ProtocolError, TakeInput, TakeOutcome};
use tokio::sync::mpsc::{self, UnboundedReceiver};
use tokio::time::timeout;

use super::connection::{Connection, Disconnected, upgrade, wire_message};
use super::registry::{LiveTakes, TakeLookup};
use super::take::LiveTake;
use crate::http_error::HttpError;
use crate::slots::ClientAddress;

/// `/api/live/record`
pub(crate) async fn record(
    State(live): State<LiveTakes>,
    client: ClientAddress,
    request: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let (upgrade, slot) = upgrade(request, live.acquire_recorder(client))?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let _slot = slot;
        let mut connection = Connection::new(socket);
        if let Ok(last) = serve(&live, client, &mut connection).await {
            connection.finish(last).await;
        }
    }))
}

/// Serves a connection to its end. Returns what to send last.
async fn serve(live: &LiveTakes, client: ClientAddress, connection: &mut Connection) -> Result<Outgoing, Disconnected> {
    let hello = match timeout(HELLO_TIMEOUT, connection.next_message()).await {
        Ok(message) => Hello::from_message(&message?),
        Err(_) => Err(ProtocolError::hello_timeout()),
    };
    let hello = match hello {
        Ok(hello) => hello,
        Err(error) => return Ok(error.into()),
    };
    loop {
        match live.find_or_begin(client, &hello) {
            Ok(TakeLookup::Active(take)) => {
                if let Some(last) = record_take(live, connection, &take, &hello).await? {
                    return Ok(last);
                }
            }
            Ok(TakeLookup::Ended(outcome)) => return resend_outcome(connection, &hello, &outcome).await,
            Err(error) => return Ok(error.into()),
        }
    }
}

/// Records over a connection. Returns `None` if the take ended before it answered the `hello`.
async fn record_take(
    live: &LiveTakes,
    connection: &mut Connection,
    take: &LiveTake,
    hello: &Hello,
) -> Result<Option<Outgoing>, Disconnected> {
    let id = live.next_connection_id();
    // Unbounded, so that the take never waits for a client. It sends a few messages per second at most.
    let (sender, outgoing) = mpsc::unbounded_channel();
    let outbox = Box::new(move |message| _ = sender.send(message));
    if take.send(TakeInput::Hello { id, hello: hello.clone(), outbox }).await.is_err() {
        return Ok(None);
    }
    let last = forward(connection, take, id, outgoing).await;
    take.send(TakeInput::Disconnected(id)).await.ok();
    last
}

/// Forwards messages in both directions until the connection or the take ends.
async fn forward(
    connection: &mut Connection,
    take: &LiveTake,
    id: ConnectionId,
    mut outgoing: UnboundedReceiver<Outgoing>,
) -> Result<Option<Outgoing>, Disconnected> {
    let mut is_answered = false;
    loop {
        tokio::select! {
            next = outgoing.recv() => match next {
                Some(Outgoing::Send(message)) if message.close_reason().is_none() => {
                    is_answered = true;
                    connection.send_json(&message).await?;
                }
                Some(Outgoing::Ping) => connection.ping().await?,
                Some(last) => return Ok(Some(last)),
                None => return Ok(is_answered.then_some(Outgoing::Close(CloseReason::TAKE_ENDED))),
            },
            message = connection.next() => {
                let input = match message? {
                    Message::Pong(_) => Some(TakeInput::Pong(id)),
                    message => wire_message(message).map(|message| TakeInput::Message { id, message }),
                };
                if let Some(input) = input {
                    // A take that has ended has sent its last message.
                    take.send(input).await.ok();
                }
            }
        }
    }
}

/// Repeats how a take ended to a client that missed it.
async fn resend_outcome(
    connection: &mut Connection,
    hello: &Hello,
    outcome: &TakeOutcome,
) -> Result<Outgoing, Disconnected> {
    connection.send_json(&outcome.ready(hello)).await?;
    let request = connection.next_message().await?;
    Ok(Outgoing::Send(outcome.answer(&request)))
}
