//! [`TakeOutcome`]: repeats how a take ended to a client that missed it.

use super::message::{ClientMessage, ErrorCode, Hello, ProtocolError, ServerMessage, TakeId, WireMessage};

/// How a take ended. A client whose connection was lost after `stop` reconnects and receives the same answer again.
///
/// ```
/// use holotape::stream::{Hello, ServerMessage, TakeId, TakeOutcome, WireMessage};
///
/// let take_id: TakeId = "9f3b6c0d5e1a4827".to_owned().try_into()?;
/// let message = ServerMessage::Discarded { take_id: take_id.clone() };
/// let outcome = TakeOutcome { take_id: take_id.clone(), name: "a.bin".to_owned(), record_count: 9, message };
/// let hello = Hello { take_id, acked_records: 5, name: None };
/// assert!(matches!(outcome.ready(&hello), ServerMessage::Ready { record_count: 5, .. }));
/// assert_eq!(outcome.answer(&WireMessage::Text(r#"{"type":"discard"}"#.to_owned())), outcome.message);
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct TakeOutcome {
    /// The take.
    pub take_id: TakeId,
    /// The file name that `ready` announced.
    pub name: String,
    /// The number of records that the server received.
    pub record_count: u64,
    /// The final message.
    pub message: ServerMessage,
}

impl TakeOutcome {
    /// The answer to a `hello` for this take.
    #[must_use]
    pub fn ready(&self, hello: &Hello) -> ServerMessage {
        let record_count = match self.message {
            ServerMessage::Saved(_) => self.record_count,
            // Only acknowledged records are in a journal: the client must keep the others for its next take.
            _ => hello.acked_records,
        };
        ServerMessage::Ready { take_id: self.take_id.clone(), name: self.name.clone(), record_count }
    }

    /// The answer to the message after `hello`: the outcome if the client asks for it, otherwise an error.
    #[must_use]
    pub fn answer(&self, message: &WireMessage) -> ServerMessage {
        let request = match message {
            WireMessage::Text(text) => ClientMessage::from_json(text).ok(),
            WireMessage::Binary(_) => None,
        };
        let message = match (request, &self.message) {
            (Some(ClientMessage::Stop), ServerMessage::Saved(_) | ServerMessage::Error { .. })
            | (Some(ClientMessage::Discard), ServerMessage::Discarded { .. }) => return self.message.clone(),
            (_, ServerMessage::Saved(saved)) => {
                format!("the take has ended and is saved as {}; start a new take", saved.name)
            }
            (_, ServerMessage::Error { message, .. }) => {
                format!("the take has ended and could not be saved: {message}; start a new take")
            }
            _ => "the take has ended; start a new take".to_owned(),
        };
        ProtocolError::new(ErrorCode::UnknownTake, message).into()
    }
}
