//! Whoever records.

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocketUpgrade, close_code};
use axum::response::Response;
use holotape::stream::{ClientMessage, ConnectionId, ErrorCode, Hello, ProtocolError, ServerMessage};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::connection::{Connection, Disconnected, delayed_interval, upgrade};
use super::registry::{EndedTake, LiveTakes, TakeLookup};
use super::take::{LiveTake, OwnedWireMessage, TakeCommand};
use crate::http_error::HttpError;

/// `/api/live/record`
pub(crate) async fn record(
    State(live): State<LiveTakes>,
    asked: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, HttpError> {
    let (upgrade, permit) = upgrade(asked, live.acquire_recorder())?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let connection = Connection::new(socket, live.timing());
        let left = serve(&live, connection).await;
        drop(permit);
        if let Some((take, voice)) = left {
            // It waits for its recorder to come back, over another connection.
            sleep(live.timing().reconnect).await;
            take.send_command(TakeCommand::Expire(voice)).await.ok();
        }
    }))
}

/// Serves a connection to its end. Gives the take that it leaves behind.
async fn serve(live: &LiveTakes, mut connection: Connection) -> Option<(LiveTake, ConnectionId)> {
    let hello = match timeout(live.timing().io, hello(&mut connection)).await {
        Ok(Ok(Ok(hello))) => hello,
        Ok(Ok(Err(refused))) => return reject(connection, refused).await,
        Ok(Err(Disconnected)) => return None,
        Err(_) => return reject(connection, ProtocolError::new(ErrorCode::InvalidMessage, "nobody said hello")).await,
    };
    match attach(live, &hello).await {
        Ok(AttachOutcome::Take(recorder)) => {
            let (take, voice) = (recorder.take.clone(), recorder.voice);
            recorder.serve(connection, live).await;
            take.send_command(TakeCommand::Lost(voice)).await.ok()?;
            Some((take, voice))
        }
        Ok(AttachOutcome::Ended(ended)) => {
            // Whether it is lost on the way makes no difference any more.
            resend_outcome(connection, &hello, &ended).await.ok();
            None
        }
        Err(refused) => reject(connection, refused).await,
    }
}

async fn reject<T>(connection: Connection, refused: ProtocolError) -> Option<T> {
    connection.finish(refused.into()).await;
    None
}

async fn hello(connection: &mut Connection) -> Result<Result<Hello, ProtocolError>, Disconnected> {
    let first = || Err(ProtocolError::new(ErrorCode::InvalidMessage, "say hello first, with the id of a take"));
    loop {
        return Ok(match connection.next().await? {
            Message::Text(text) => match ClientMessage::from_json(&text) {
                Ok(ClientMessage::Hello(hello)) => Ok(hello),
                Ok(_) => first(),
                Err(ProtocolError { message: words, .. }) => {
                    Err(ProtocolError::new(ErrorCode::InvalidMessage, format!("no hello: {words}")))
                }
            },
            Message::Binary(_) => first(),
            _ => continue,
        });
    }
}

enum AttachOutcome {
    Take(RecordingConnection),
    Ended(Box<EndedTake>),
}

/// Connects to the take of a hello, if no other connection is alive that records it.
async fn attach(live: &LiveTakes, hello: &Hello) -> Result<AttachOutcome, ProtocolError> {
    loop {
        let take = match live.find_or_begin(hello)? {
            TakeLookup::Take(take) => take,
            TakeLookup::Ended(ended) => return Ok(AttachOutcome::Ended(ended)),
        };
        take.check_inactive(live.timing().probe).await?;
        let (sender, replies) = mpsc::unbounded_channel();
        // If it has just ended, how it ended is known.
        let Some(answer) = take.hello(hello, sender).await else { continue };
        let (voice, ready) = answer?;
        let (probe, probes) = mpsc::channel(1);
        take.set_active_connection(probe);
        return Ok(AttachOutcome::Take(RecordingConnection { take, voice, ready, replies, probes }));
    }
}

/// A connection that records a take.
struct RecordingConnection {
    take: LiveTake,
    voice: ConnectionId,
    ready: ServerMessage,
    replies: mpsc::UnboundedReceiver<ServerMessage>,
    probes: mpsc::Receiver<oneshot::Sender<()>>,
}

impl RecordingConnection {
    /// Passes everything on, both ways, until the connection or the take ends.
    async fn serve(mut self, mut connection: Connection, live: &LiveTakes) {
        let mut ticks = delayed_interval(live.timing().ack_interval);
        let mut probed: Vec<oneshot::Sender<()>> = Vec::new();
        if connection.send_json(&self.ready).await.is_err() {
            return;
        }
        loop {
            tokio::select! {
                reply = self.replies.recv() => match reply {
                    Some(last) if last.is_final() => return connection.finish(last).await,
                    Some(reply) => if connection.send_json(&reply).await.is_err() { return },
                    None => return connection.close(close_code::POLICY, "another connection has the take now").await,
                },
                message = connection.next() => {
                    let Ok(message) = message else { return };
                    probed.drain(..).for_each(|alive| _ = alive.send(()));
                    self.forward(message).await;
                }
                Some(alive) = self.probes.recv() => {
                    probed.push(alive);
                    if connection.ping().await.is_err() {
                        return;
                    }
                }
                // A take that has ended has said how.
                _ = ticks.tick() => drop(self.take.send_command(TakeCommand::Reply).await),
            }
        }
    }

    async fn forward(&self, message: Message) {
        let spoken = match message {
            Message::Text(text) => OwnedWireMessage::Text(text),
            Message::Binary(bytes) => OwnedWireMessage::Binary(bytes),
            _ => return,
        };
        self.take.send_command(TakeCommand::Message { voice: self.voice, spoken }).await.ok();
    }
}

/// Says again how a take ended, to who did not hear it.
async fn resend_outcome(mut connection: Connection, hello: &Hello, ended: &EndedTake) -> Result<(), Disconnected> {
    let EndedTake { take, name, records, last } = ended;
    let records = match last {
        ServerMessage::Saved(_) => *records,
        // A journal has what was acknowledged. Nobody is to forget anything else for a take that is not there.
        _ => hello.acked_records,
    };
    connection
        .send_json(&ServerMessage::Ready { take_id: take.clone(), name: name.clone(), record_count: records })
        .await?;
    loop {
        let asked = match connection.next().await? {
            Message::Text(text) => ClientMessage::from_json(&text).ok(),
            Message::Binary(_) => None,
            _ => continue,
        };
        let answer = match (asked, last) {
            (Some(ClientMessage::Stop), ServerMessage::Saved(_) | ServerMessage::Error { .. })
            | (Some(ClientMessage::Discard), ServerMessage::Discarded { .. }) => last.clone(),
            (_, ServerMessage::Saved(saved)) => {
                let message = format!("the take has ended, and is saved as {}: begin another", saved.name);
                ProtocolError::new(ErrorCode::UnknownTake, message).into()
            }
            (_, ServerMessage::Error { message: error, .. }) => {
                let message = format!("the take has ended, and could not be saved: {error}. Begin another");
                ProtocolError::new(ErrorCode::UnknownTake, message).into()
            }
            _ => ProtocolError::new(ErrorCode::UnknownTake, "the take has ended: begin another").into(),
        };
        connection.finish(answer).await;
        return Ok(());
    }
}
