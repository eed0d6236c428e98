//! Parses the JSON of an action recording frame by frame, so that it is never in memory as a whole.

use std::collections::BTreeMap;
use std::fmt;

use holotape::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::read::Reader;
use super::schema::{Input, InputKind};
use super::{JOINT_COUNT, JOINT_NUMBERS, POSE_NUMBERS};

/// The values of an input in a frame. Fields that the input does not have keep stale values of another input.
pub(super) struct Values {
    pub(super) ray: [f64; POSE_NUMBERS],
    pub(super) grip: [f64; POSE_NUMBERS],
    pub(super) joints: [f64; JOINT_COUNT * JOINT_NUMBERS],
    /// Pressed, touched, value.
    pub(super) first_button: Option<[f64; 3]>,
}

/// Parses a document. If the frames come before the schema, which is needed to interpret them, it is parsed twice.
pub(super) fn document(bytes: &[u8], reader: &mut Reader) -> Result<()> {
    let mut parser = Parser {
        reader,
        position: ParsePosition::Document,
        inputs: None,
        frames: Frames::Missing,
        values: Values {
            ray: [0.0; POSE_NUMBERS],
            grip: [0.0; POSE_NUMBERS],
            joints: [0.0; JOINT_COUNT * JOINT_NUMBERS],
            first_button: None,
        },
    };
    parser.parse_once(bytes)?;
    if parser.frames == Frames::Skipped && parser.inputs.is_some() {
        parser.parse_once(bytes)?;
    }
    let missing = |what| Error::new(ErrorKind::Invalid, format!("not an action recording: missing {what}"));
    match (parser.inputs, parser.frames) {
        (None, _) => Err(missing("schema")),
        (Some(_), Frames::Missing) => Err(missing("frames")),
        (Some(_), _) => Ok(()),
    }
}

struct Parser<'a> {
    reader: &'a mut Reader,
    position: ParsePosition,
    inputs: Option<BTreeMap<usize, (Input, InputKind)>>,
    frames: Frames,
    values: Values,
}

#[derive(PartialEq)]
enum Frames {
    Missing,
    Skipped,
    Read,
}

/// The parser's position in the document, for error messages.
#[derive(Clone, Copy)]
enum ParsePosition {
    Document,
    Schema,
    Frame(usize),
    Input(usize, usize),
}

impl fmt::Display for ParsePosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document => Ok(()),
            Self::Schema => f.write_str("schema: "),
            Self::Frame(frame) => write!(f, "frame {frame}: "),
            Self::Input(frame, input) => write!(f, "frame {frame}, input {input}: "),
        }
    }
}

impl Parser<'_> {
    fn parse_once(&mut self, bytes: &[u8]) -> Result<()> {
        self.position = ParsePosition::Document;
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let outcome = DocumentSeed(&mut *self).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        outcome.map_err(|error| {
            let is_truncated = error.is_eof() || is_truncated_number(bytes);
            let kind = if is_truncated { ErrorKind::Truncated } else { ErrorKind::Invalid };
            // The message of the JSON error has the line and the column.
            Error::new(kind, format!("{}{error}", self.position))
        })
    }

    fn set_schema(&mut self, entries: Vec<(usize, Input)>) -> Result<(), String> {
        let with_role = |(index, input): (usize, Input)| {
            let kind = input.kind().map_err(|message| format!("input {index}: {message}"))?;
            Ok((index, (input, kind)))
        };
        let inputs = entries.into_iter().map(with_role).collect::<Result<BTreeMap<_, _>, String>>()?;
        self.reader.set_hands(inputs.values().map(|(_, kind)| kind));
        self.inputs = Some(inputs);
        Ok(())
    }
}

/// serde_json does not report truncated numbers as EOF.
fn is_truncated_number(bytes: &[u8]) -> bool {
    bytes.last().is_some_and(|last| b"-+.eE".contains(last))
}

struct DocumentSeed<'p, 'a>(&'p mut Parser<'a>);

impl<'de> DeserializeSeed<'de> for DocumentSeed<'_, '_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for DocumentSeed<'_, '_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an action recording: an object with schema and frames")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let parser = self.0;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "schema" => {
                    parser.position = ParsePosition::Schema;
                    let entries = map.next_value()?;
                    parser.set_schema(entries).map_err(A::Error::custom)?;
                }
                "frames" if parser.inputs.is_some() => {
                    map.next_value_seed(List(FramesReader(parser)))?;
                    parser.frames = Frames::Read;
                }
                "frames" => {
                    map.next_value::<IgnoredAny>()?;
                    parser.frames = Frames::Skipped;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
            parser.position = ParsePosition::Document;
        }
        Ok(())
    }
}

/// A list that is parsed item by item.
struct List<T>(T);

trait ListReader {
    const EXPECTING: &'static str;

    fn read<'de, A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error>;
}

impl<'de, T: ListReader> DeserializeSeed<'de> for List<T> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de, T: ListReader> Visitor<'de> for List<T> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(T::EXPECTING)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<(), A::Error> {
        self.0.read(items)
    }
}

struct FramesReader<'p, 'a>(&'p mut Parser<'a>);

impl ListReader for FramesReader<'_, '_> {
    const EXPECTING: &'static str = "a list of frames";

    fn read<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for frame in 0.. {
            self.0.position = ParsePosition::Frame(frame);
            if items.next_element_seed(List(FrameReader { parser: self.0, frame }))?.is_none() {
                break;
            }
        }
        Ok(())
    }
}

struct FrameReader<'p, 'a> {
    parser: &'p mut Parser<'a>,
    frame: usize,
}

impl ListReader for FrameReader<'_, '_> {
    const EXPECTING: &'static str = "a frame: a list of a time, a pose and inputs";

    fn read<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { parser, frame } = self;
        let time_ms = items.next_element()?.ok_or_else(|| A::Error::custom("missing time of the frame"))?;
        parser.reader.begin_frame(time_ms, &numbers(&mut items, "the pose of the head")?);
        while items.next_element_seed(List(InputReader { parser, frame }))?.is_some() {
            parser.position = ParsePosition::Frame(frame);
        }
        parser.reader.end_frame();
        Ok(())
    }
}

struct InputReader<'p, 'a> {
    parser: &'p mut Parser<'a>,
    frame: usize,
}

impl ListReader for InputReader<'_, '_> {
    const EXPECTING: &'static str = "an input: a list of its index, a pose and further values";

    fn read<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Parser { reader, position, inputs, values, .. } = self.parser;
        let index: usize = items.next_element()?.ok_or_else(|| A::Error::custom("missing index of the input"))?;
        *position = ParsePosition::Input(self.frame, index);
        let known = inputs.as_ref().and_then(|inputs| inputs.get(&index));
        let (input, kind) = known.ok_or_else(|| A::Error::custom("not in the schema"))?;
        values.ray = numbers(&mut items, "the target ray")?;
        if input.has_grip {
            field(&mut items, Numbers { into: &mut values.grip, of: "the grip" })?;
        }
        if input.has_hand {
            field(&mut items, Numbers { into: &mut values.joints, of: "the joints" })?;
        }
        values.first_button = None;
        if input.has_gamepad {
            field(&mut items, Gamepad { input, first_button: &mut values.first_button })?;
        }
        end(items, "the input")?;
        reader.push_input(index, input, *kind, values);
        Ok(())
    }
}

/// Fills a slice from a list of numbers.
struct Numbers<'v> {
    into: &'v mut [f64],
    of: &'static str,
}

impl ListReader for Numbers<'_> {
    const EXPECTING: &'static str = "a list of numbers";

    fn read<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        fill(&mut items, self.into, self.of)?;
        end(items, self.of)
    }
}

struct Gamepad<'v> {
    input: &'v Input,
    first_button: &'v mut Option<[f64; 3]>,
}

impl ListReader for Gamepad<'_> {
    const EXPECTING: &'static str = "a list of buttons and axes";

    fn read<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Input { num_buttons, num_axes, .. } = *self.input;
        let too_few = || A::Error::custom(format!("expected {num_buttons} buttons and {num_axes} axes"));
        for n in 0..num_buttons {
            // Buttons that the device does not have are null.
            let button: Option<[Number; 3]> = items.next_element()?.ok_or_else(too_few)?;
            if n == 0 {
                *self.first_button = button.map(|states| states.map(|Number(number)| number));
            }
        }
        for _ in 0..num_axes {
            items.next_element::<Number>()?.ok_or_else(too_few)?;
        }
        end(items, "the gamepad")
    }
}

/// A number, or null, which JavaScript writes for non-finite numbers.
#[derive(Clone, Copy)]
struct Number(f64);

impl<'de> Deserialize<'de> for Number {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Self(Option::deserialize(deserializer)?.unwrap_or(f64::NAN)))
    }
}

fn numbers<'de, A: SeqAccess<'de>, const N: usize>(items: &mut A, of: &str) -> Result<[f64; N], A::Error> {
    let mut into = [0.0; N];
    fill(items, &mut into, of)?;
    Ok(into)
}

fn fill<'de, A: SeqAccess<'de>>(items: &mut A, into: &mut [f64], of: &str) -> Result<(), A::Error> {
    let count = into.len();
    for (n, slot) in into.iter_mut().enumerate() {
        let too_few = || A::Error::custom(format!("expected {count} numbers for {of}, found {n}"));
        *slot = items.next_element::<Number>()?.ok_or_else(too_few)?.0;
    }
    Ok(())
}

fn field<'de, A: SeqAccess<'de>>(items: &mut A, reader: impl ListReader) -> Result<(), A::Error> {
    let missing = || A::Error::custom("fewer fields than in the schema");
    items.next_element_seed(List(reader))?.ok_or_else(missing)
}

fn end<'de, A: SeqAccess<'de>>(mut items: A, of: &str) -> Result<(), A::Error> {
    let surplus = items.next_element::<IgnoredAny>()?;
    surplus.map_or(Ok(()), |_| Err(A::Error::custom(format!("too many items in {of}"))))
}
