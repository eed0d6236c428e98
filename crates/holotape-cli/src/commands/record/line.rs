//! Lines of the input: frames, markers, and what else a player says.

use holotape::Frame;
use serde::Deserialize;
use serde::de::IgnoredAny;

/// What a line says.
#[derive(Debug)]
pub enum Line {
    Frame(Box<Frame>),
    Marker {
        time: f64,
        name: String,
    },
    /// Nothing that is recorded.
    Other,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerLine {
    time: f64,
    marker: String,
}

/// Enough of a line that is no frame to know what it was meant to be.
#[derive(Deserialize)]
struct Hints {
    marker: Option<IgnoredAny>,
    event: Option<IgnoredAny>,
}

/// What a line says, or what is wrong with it.
pub fn parse(line: &[u8]) -> Result<Line, String> {
    if line.trim_ascii().is_empty() {
        return Ok(Line::Other);
    }
    if !line.trim_ascii().starts_with(b"{") {
        return Err("not a JSON object; frames come as `holotape sample` prints them, one a line".to_owned());
    }
    let error = match serde_json::from_slice(line) {
        Ok(frame) => return Ok(Line::Frame(Box::new(frame))),
        Err(error) => error,
    };
    match serde_json::from_slice(line) {
        Ok(Hints { marker: Some(_), .. }) => {
            let MarkerLine { time, marker } = serde_json::from_slice(line).map_err(words)?;
            Ok(Line::Marker { time, name: marker })
        }
        Ok(Hints { event: Some(_), .. }) => Ok(Line::Other),
        _ => Err(words(error)),
    }
}

/// The words of an error, without its line, which is always the first.
fn words(error: serde_json::Error) -> String {
    let words = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    match words.strip_suffix(&place) {
        Some(words) => format!("{words} (column {})", error.column()),
        None => words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_told_apart() {
        assert!(matches!(parse(b"{\"time\":1.5}\r\n"), Ok(Line::Frame(frame)) if frame.time == 1.5));
        let marker = parse(b"{\"marker\":\"grabbed\",\"time\":2}");
        assert!(matches!(marker, Ok(Line::Marker { time: 2.0, name }) if name == "grabbed"));
        assert!(matches!(parse(b"{\"time\":0,\"event\":\"hand_found\",\"hand\":\"left\"}"), Ok(Line::Other)));
        assert!(matches!(parse(b" \r\n"), Ok(Line::Other)));
    }

    #[test]
    fn errors_say_what_and_where() {
        let wrong = |line: &str| parse(line.as_bytes()).expect_err(line);
        assert!(wrong("hello").starts_with("not a JSON object"));
        assert!(wrong("[0,null,null,null,null]").starts_with("not a JSON object"));
        assert_eq!(wrong("{\"time\":1,"), "EOF while parsing a value (column 10)");
        assert!(wrong("{\"time\":1,\"cam\":{}}").starts_with("unknown field `cam`, expected one of"));
        assert_eq!(wrong("{\"marker\":\"late\"}"), "missing field `time` (column 17)");
        assert!(wrong("{\"marker\":7,\"time\":1}").starts_with("invalid type: integer `7`, expected a string"));
    }
}
