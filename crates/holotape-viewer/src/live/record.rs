//! Whoever records.

use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocketUpgrade, close_code};
use axum::response::Response;
use holotape::stream::{ClientMessage, Code, Hello, Refused, ServerMessage, Voice};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{sleep, timeout};

use super::connection::{Connection, Lost, every, upgrade};
use super::registry::{EndedTake, Found, Live};
use super::take::{LiveTake, Order, Spoken};
use crate::refusal::Refusal;

/// `/api/live/record`
pub(crate) async fn record(
    State(live): State<Live>,
    asked: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let (upgrade, permit) = upgrade(asked, live.let_record())?;
    Ok(upgrade.on_upgrade(async move |socket| {
        let connection = Connection::new(socket, live.timing());
        let left = serve(&live, connection).await;
        drop(permit);
        if let Some((take, voice)) = left {
            // It waits for its recorder to come back, over another connection.
            sleep(live.timing().grace).await;
            take.order(Order::Expire(voice)).await.ok();
        }
    }))
}

/// Serves a connection to its end. Gives the take that it leaves behind.
async fn serve(live: &Live, mut connection: Connection) -> Option<(LiveTake, Voice)> {
    let hello = match timeout(live.timing().patience, hello(&mut connection)).await {
        Ok(Ok(Ok(hello))) => hello,
        Ok(Ok(Err(refused))) => return refuse(connection, refused).await,
        Ok(Err(Lost)) => return None,
        Err(_) => return refuse(connection, Refused::new(Code::Invalid, "nobody said hello")).await,
    };
    match attach(live, &hello).await {
        Ok(Attached::Take(recorder)) => {
            let (take, voice) = (recorder.take.clone(), recorder.voice);
            recorder.serve(connection, live).await;
            take.order(Order::Lost(voice)).await.ok()?;
            Some((take, voice))
        }
        Ok(Attached::Ended(ended)) => {
            // Whether it is lost on the way makes no difference any more.
            repeat(connection, &hello, &ended).await.ok();
            None
        }
        Err(refused) => refuse(connection, refused).await,
    }
}

async fn refuse<T>(connection: Connection, refused: Refused) -> Option<T> {
    connection.finish(refused.into()).await;
    None
}

async fn hello(connection: &mut Connection) -> Result<Result<Hello, Refused>, Lost> {
    let first = || Err(Refused::new(Code::Invalid, "say hello first, with the id of a take"));
    loop {
        return Ok(match connection.next().await? {
            Message::Text(text) => match ClientMessage::from_json(&text) {
                Ok(ClientMessage::Hello(hello)) => Ok(hello),
                Ok(_) => first(),
                Err(Refused { words, .. }) => Err(Refused::new(Code::Invalid, format!("no hello: {words}"))),
            },
            Message::Binary(_) => first(),
            _ => continue,
        });
    }
}

enum Attached {
    Take(Recorder),
    Ended(Box<EndedTake>),
}

/// Connects to the take of a hello, if no other connection is alive that records it.
async fn attach(live: &Live, hello: &Hello) -> Result<Attached, Refused> {
    loop {
        let take = match live.find_or_begin(hello)? {
            Found::Take(take) => take,
            Found::Ended(ended) => return Ok(Attached::Ended(ended)),
        };
        take.expect_silence(live.timing().probe).await?;
        let (sender, replies) = mpsc::unbounded_channel();
        // If it has just ended, how it ended is known.
        let Some(answer) = take.hello(hello, sender).await else { continue };
        let (voice, ready) = answer?;
        let (probe, probes) = mpsc::channel(1);
        take.set_speaker(probe);
        return Ok(Attached::Take(Recorder { take, voice, ready, replies, probes }));
    }
}

/// A connection that records a take.
struct Recorder {
    take: LiveTake,
    voice: Voice,
    ready: ServerMessage,
    replies: mpsc::UnboundedReceiver<ServerMessage>,
    probes: mpsc::Receiver<oneshot::Sender<()>>,
}

impl Recorder {
    /// Passes everything on, both ways, until the connection or the take ends.
    async fn serve(mut self, mut connection: Connection, live: &Live) {
        let mut ticks = every(live.timing().reply);
        let mut probed: Vec<oneshot::Sender<()>> = Vec::new();
        if connection.say(&self.ready).await.is_err() {
            return;
        }
        loop {
            tokio::select! {
                reply = self.replies.recv() => match reply {
                    Some(last) if last.is_last() => return connection.finish(last).await,
                    Some(reply) => if connection.say(&reply).await.is_err() { return },
                    None => return connection.close(close_code::POLICY, "another connection has the take now").await,
                },
                message = connection.next() => {
                    let Ok(message) = message else { return };
                    probed.drain(..).for_each(|alive| _ = alive.send(()));
                    self.pass_on(message).await;
                }
                Some(alive) = self.probes.recv() => {
                    probed.push(alive);
                    if connection.ping().await.is_err() {
                        return;
                    }
                }
                // A take that has ended has said how.
                _ = ticks.tick() => drop(self.take.order(Order::Reply).await),
            }
        }
    }

    async fn pass_on(&self, message: Message) {
        let spoken = match message {
            Message::Text(text) => Spoken::Text(text),
            Message::Binary(bytes) => Spoken::Binary(bytes),
            _ => return,
        };
        self.take.order(Order::Said { voice: self.voice, spoken }).await.ok();
    }
}

/// Says again how a take ended, to who did not hear it.
async fn repeat(mut connection: Connection, hello: &Hello, ended: &EndedTake) -> Result<(), Lost> {
    let EndedTake { take, name, records, last } = ended;
    let records = match last {
        ServerMessage::Saved(_) => *records,
        // A journal has what was acknowledged. Nobody is to forget anything else for a take that is not there.
        _ => hello.records,
    };
    connection.say(&ServerMessage::Ready { take: take.clone(), name: name.clone(), records }).await?;
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
                let words = format!("the take has ended, and is saved as {}: begin another", saved.name);
                Refused::new(Code::UnknownTake, words).into()
            }
            (_, ServerMessage::Error { error, .. }) => {
                let words = format!("the take has ended, and could not be saved: {error}. Begin another");
                Refused::new(Code::UnknownTake, words).into()
            }
            _ => Refused::new(Code::UnknownTake, "the take has ended: begin another").into(),
        };
        connection.finish(answer).await;
        return Ok(());
    }
}
