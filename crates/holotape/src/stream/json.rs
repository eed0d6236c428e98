//! Records as JSON, one object each, as `holotape play` prints them.

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

/// The fields that distinguish markers and events from frames.
#[derive(Deserialize)]
struct RecordFields {
    marker: Option<IgnoredAny>,
    event: Option<IgnoredAny>,
}

impl Record {
    /// Parses a record from JSON.
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
    /// The same as of [`decode`](Self::decode), with the column.
    pub fn from_json(json: &[u8]) -> Result<Self> {
        if !json.trim_ascii().starts_with(b"{") {
            let message = "not a JSON object; expected frames as `holotape sample` prints them, one per line";
            return Err(Error::new(ErrorKind::Invalid, message));
        }
        // Frames first: most records are frames.
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

    /// The record as JSON on one line; the inverse of [`from_json`](Self::from_json).
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
            // Serializing a frame cannot fail.
            Self::Frame(frame) => serde_json::to_string(frame).unwrap_or_default(),
            Self::Marker { time_secs, name } => json!({ "time": JsonFloat(*time_secs), "marker": name }).to_string(),
            Self::Event { json, .. } => json.clone(),
        }
    }
}

/// The message of an error without its line number, which is always 1.
fn json_error(error: &serde_json::Error) -> Error {
    let message = error.to_string();
    let location = format!(" at line {} column {}", error.line(), error.column());
    let message = match message.strip_suffix(&location) {
        Some(message) => format!("{message} (column {})", error.column()),
        None => message,
    };
    Error::new(ErrorKind::Invalid, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_json_distinguishes_frames_markers_and_events() {
        let read = |json: &str| Record::from_json(json.as_bytes());
        assert!(matches!(read("{\"time\":1.5}\r\n"), Ok(Record::Frame(frame)) if frame.time == 1.5));
        let marker = read("{\"marker\":\"grabbed\",\"time\":2}");
        assert!(matches!(marker, Ok(Record::Marker { time_secs: 2.0, name }) if name == "grabbed"));
        let event = "{\"time\":3,\"event\":\"hand_found\",\"hand\":\"left\"}";
        assert!(matches!(read(event), Ok(Record::Event { time_secs: 3.0, json }) if json == event));
    }

    #[test]
    fn from_json_reports_the_error_and_its_column() {
        let error = |json: &str| Record::from_json(json.as_bytes()).expect_err(json).to_string();
        assert!(error("hello").starts_with("not a JSON object"));
        assert!(error("").starts_with("not a JSON object"));
        assert!(error("[0,null,null,null,null]").starts_with("not a JSON object"));
        assert_eq!(error("{\"time\":1,"), "EOF while parsing a value (column 10)");
        assert!(error("{\"time\":1,\"cam\":{}}").starts_with("unknown field `cam`, expected one of"));
        assert_eq!(error("{\"marker\":\"late\"}"), "missing field `time` (column 17)");
        assert_eq!(error("{\"event\":\"late\"}"), "missing field `time` (column 16)");
        assert!(error("{\"marker\":7,\"time\":1}").starts_with("invalid type: integer `7`, expected a string"));
        assert!(error("{\"marker\":\"far\",\"time\":1e300}").starts_with("invalid time: 1e300 s"));
    }
}
