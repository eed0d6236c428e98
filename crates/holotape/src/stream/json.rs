//! Records as JSON: one object each, as `holotape play` prints them.

use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::json;

use super::Record;
use super::record::check_time;
use crate::error::{Error, ErrorKind, Result};
use crate::json::JsonFloat;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerJson {
    time: f64,
    marker: String,
}

#[derive(Deserialize)]
struct EventJson {
    time: f64,
}

/// Enough of an object that is no frame to know what it was meant to be.
#[derive(Deserialize)]
struct RecordFields {
    marker: Option<IgnoredAny>,
    event: Option<IgnoredAny>,
}

impl Record {
    /// Reads a record from JSON.
    ///
    /// ```
    /// use holotape::stream::Record;
    ///
    /// let marker = Record::from_json(br#"{"time":1.5,"marker":"grabbed the cup"}"#)?;
    /// assert_eq!(marker, Record::Marker { time_secs: 1.5, name: "grabbed the cup".to_owned() });
    /// # Ok::<(), holotape::Error>(())
    /// ```
    ///
    /// # Errors
    /// As with [`decode`](Self::decode). The error says in which column.
    pub fn from_json(json: &[u8]) -> Result<Self> {
        if !json.trim_ascii().starts_with(b"{") {
            let message = "not a JSON object; frames come as `holotape sample` prints them, one a line";
            return Err(Error::new(ErrorKind::Invalid, message));
        }
        // Frames are what comes by the thousand.
        let error = match serde_json::from_slice(json) {
            Ok(frame) => return Ok(Self::Frame(frame)),
            Err(error) => error,
        };
        match serde_json::from_slice(json) {
            Ok(RecordFields { marker: Some(_), .. }) => {
                let MarkerJson { time, marker } = serde_json::from_slice(json).map_err(|error| json_error(&error))?;
                Self::marker(time, marker)
            }
            Ok(RecordFields { event: Some(_), .. }) => {
                let EventJson { time } = serde_json::from_slice(json).map_err(|error| json_error(&error))?;
                check_time(time)?;
                let json = String::from_utf8_lossy(json.trim_ascii()).into_owned();
                Ok(Self::Event { time_secs: time, json })
            }
            _ => Err(json_error(&error)),
        }
    }

    /// The JSON that [`from_json`](Self::from_json) reads, in one line.
    ///
    /// ```
    /// use holotape::stream::Record;
    ///
    /// let marker = Record::Marker { time_secs: 1.5, name: "\"up\"".to_owned() };
    /// assert_eq!(marker.to_json(), r#"{"marker":"\"up\"","time":1.5}"#);
    /// ```
    #[must_use]
    pub fn to_json(&self) -> String {
        match self {
            // Frames have nothing in them that JSON could not say.
            Self::Frame(frame) => serde_json::to_string(frame).unwrap_or_default(),
            Self::Marker { time_secs, name } => json!({ "time": JsonFloat(*time_secs), "marker": name }).to_string(),
            Self::Event { json, .. } => json.clone(),
        }
    }
}

/// The words of an error, without its line, which is always the first.
fn json_error(error: &serde_json::Error) -> Error {
    let message = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    let message = match message.strip_suffix(&place) {
        Some(message) => format!("{message} (column {})", error.column()),
        None => message,
    };
    Error::new(ErrorKind::Invalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_told_apart() {
        let read = |json: &str| Record::from_json(json.as_bytes());
        assert!(matches!(read("{\"time\":1.5}\r\n"), Ok(Record::Frame(frame)) if frame.time == 1.5));
        let marker = read("{\"marker\":\"grabbed\",\"time\":2}");
        assert!(matches!(marker, Ok(Record::Marker { time_secs: 2.0, name }) if name == "grabbed"));
        let event = "{\"time\":3,\"event\":\"hand_found\",\"hand\":\"left\"}";
        assert!(matches!(read(event), Ok(Record::Event { time_secs: 3.0, json }) if json == event));
    }

    #[test]
    fn errors_say_what_and_where() {
        let wrong = |json: &str| Record::from_json(json.as_bytes()).expect_err(json).to_string();
        assert!(wrong("hello").starts_with("not a JSON object"));
        assert!(wrong("").starts_with("not a JSON object"));
        assert!(wrong("[0,null,null,null,null]").starts_with("not a JSON object"));
        assert_eq!(wrong("{\"time\":1,"), "EOF while parsing a value (column 10)");
        assert!(wrong("{\"time\":1,\"cam\":{}}").starts_with("unknown field `cam`, expected one of"));
        assert_eq!(wrong("{\"marker\":\"late\"}"), "missing field `time` (column 17)");
        assert_eq!(wrong("{\"event\":\"late\"}"), "missing field `time` (column 16)");
        assert!(wrong("{\"marker\":7,\"time\":1}").starts_with("invalid type: integer `7`, expected a string"));
        assert!(wrong("{\"marker\":\"far\",\"time\":1e300}").starts_with("nothing can be at 1e300 seconds"));
    }
}
