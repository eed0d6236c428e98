//! The JSON of an action recording, frame by frame: a long one is never in memory as a whole.

use std::collections::BTreeMap;
use std::fmt;

use holotape::{Error, ErrorKind, Result};
use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use super::schema::{Input, Role};
use super::{JOINT_NUMBERS, JOINTS, POSE_NUMBERS};

/// Takes what is read.
pub(super) trait ActionVisitor {
    /// The inputs, by their number, before any frame.
    fn schema(&mut self, inputs: &BTreeMap<usize, (Input, Role)>);

    /// A frame begins, at a time in milliseconds, with the pose of the head.
    fn begin_frame(&mut self, time_ms: f64, viewer: &[f64; POSE_NUMBERS]);

    /// An input in this frame.
    fn input(&mut self, index: usize, input: &Input, role: Role, values: &Values);

    /// The frame is over.
    fn end_frame(&mut self);
}

/// What a frame says of an input. What it does not have is as it was for another.
pub(super) struct Values {
    pub(super) ray: [f64; POSE_NUMBERS],
    pub(super) grip: [f64; POSE_NUMBERS],
    pub(super) joints: [f64; JOINTS * JOINT_NUMBERS],
    /// Pressed, touched, value.
    pub(super) first_button: Option<[f64; 3]>,
}

/// Reads all of it. The frames may come before the schema, without which they mean nothing: then it is read twice.
pub(super) fn document(bytes: &[u8], sink: &mut impl ActionVisitor) -> Result<()> {
    let mut parser = Parser {
        sink,
        place: ParsePosition::Document,
        inputs: None,
        frames: Frames::Missing,
        values: Values {
            ray: [0.0; POSE_NUMBERS],
            grip: [0.0; POSE_NUMBERS],
            joints: [0.0; JOINTS * JOINT_NUMBERS],
            first_button: None,
        },
    };
    parser.parse_once(bytes)?;
    if parser.frames == Frames::Skipped && parser.inputs.is_some() {
        parser.parse_once(bytes)?;
    }
    let missing = |what| Error::new(ErrorKind::Invalid, format!("an action recording has {what}, and this has none"));
    match (parser.inputs, parser.frames) {
        (None, _) => Err(missing("a schema")),
        (Some(_), Frames::Missing) => Err(missing("frames")),
        (Some(_), _) => Ok(()),
    }
}

struct Parser<'a, S> {
    sink: &'a mut S,
    place: ParsePosition,
    inputs: Option<BTreeMap<usize, (Input, Role)>>,
    frames: Frames,
    values: Values,
}

#[derive(PartialEq)]
enum Frames {
    Missing,
    Skipped,
    Read,
}

/// Where in the document the parser is, for errors.
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

impl<S: ActionVisitor> Parser<'_, S> {
    fn parse_once(&mut self, bytes: &[u8]) -> Result<()> {
        self.place = ParsePosition::Document;
        let mut deserializer = serde_json::Deserializer::from_slice(bytes);
        let outcome = DocumentSeed(&mut *self).deserialize(&mut deserializer).and_then(|()| deserializer.end());
        outcome.map_err(|error| {
            let is_truncated = error.is_eof() || is_truncated_number(bytes);
            let kind = if is_truncated { ErrorKind::Truncated } else { ErrorKind::Invalid };
            // The words of the error know the line and the column.
            Error::new(kind, format!("{}{error}", self.place))
        })
    }

    fn take_schema(&mut self, entries: Vec<(usize, Input)>) -> Result<(), String> {
        let with_role = |(index, input): (usize, Input)| {
            let role = input.role().map_err(|message| format!("input {index}: {message}"))?;
            Ok((index, (input, role)))
        };
        let inputs = entries.into_iter().map(with_role).collect::<Result<_, String>>()?;
        self.sink.schema(&inputs);
        self.inputs = Some(inputs);
        Ok(())
    }
}

/// The parser has no word for this.
fn is_truncated_number(bytes: &[u8]) -> bool {
    bytes.last().is_some_and(|last| b"-+.eE".contains(last))
}

struct DocumentSeed<'p, 'a, S>(&'p mut Parser<'a, S>);

impl<'de, S: ActionVisitor> DeserializeSeed<'de> for DocumentSeed<'_, '_, S> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de, S: ActionVisitor> Visitor<'de> for DocumentSeed<'_, '_, S> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an action recording: an object with schema and frames")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let parser = self.0;
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "schema" => {
                    parser.place = ParsePosition::Schema;
                    let entries = map.next_value()?;
                    parser.take_schema(entries).map_err(A::Error::custom)?;
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
            parser.place = ParsePosition::Document;
        }
        Ok(())
    }
}

/// A list whose items are read one by one.
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

struct FramesReader<'p, 'a, S>(&'p mut Parser<'a, S>);

impl<S: ActionVisitor> ListReader for FramesReader<'_, '_, S> {
    const EXPECTING: &'static str = "a list of frames";

    fn read<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        for frame in 0.. {
            self.0.place = ParsePosition::Frame(frame);
            if items.next_element_seed(List(FrameReader { parser: self.0, frame }))?.is_none() {
                break;
            }
        }
        Ok(())
    }
}

struct FrameReader<'p, 'a, S> {
    parser: &'p mut Parser<'a, S>,
    frame: usize,
}

impl<S: ActionVisitor> ListReader for FrameReader<'_, '_, S> {
    const EXPECTING: &'static str = "a frame: a list of a time, a pose and inputs";

    fn read<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Self { parser, frame } = self;
        let time_ms = items.next_element()?.ok_or_else(|| A::Error::custom("a frame without a time"))?;
        parser.sink.begin_frame(time_ms, &numbers(&mut items, "the pose of the head")?);
        while items.next_element_seed(List(InputReader { parser, frame }))?.is_some() {
            parser.place = ParsePosition::Frame(frame);
        }
        parser.sink.end_frame();
        Ok(())
    }
}

struct InputReader<'p, 'a, S> {
    parser: &'p mut Parser<'a, S>,
    frame: usize,
}

impl<S: ActionVisitor> ListReader for InputReader<'_, '_, S> {
    const EXPECTING: &'static str = "an input: a list of its number, a pose and what else it has";

    fn read<'de, A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Parser { sink, place, inputs, values, .. } = self.parser;
        let index: usize = items.next_element()?.ok_or_else(|| A::Error::custom("an input without a number"))?;
        *place = ParsePosition::Input(self.frame, index);
        let known = inputs.as_ref().and_then(|inputs| inputs.get(&index));
        let (input, role) = known.ok_or_else(|| A::Error::custom("the schema has no such input"))?;
        values.ray = numbers(&mut items, "the target ray")?;
        if input.has_grip {
            part(&mut items, Numbers { into: &mut values.grip, of: "the grip" })?;
        }
        if input.has_hand {
            part(&mut items, Numbers { into: &mut values.joints, of: "the joints" })?;
        }
        values.first_button = None;
        if input.has_gamepad {
            part(&mut items, Gamepad { input, first_button: &mut values.first_button })?;
        }
        end(items, "the input")?;
        sink.input(index, input, *role, values);
        Ok(())
    }
}

/// Numbers that fill a list of their own.
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
        let too_few = || A::Error::custom(format!("fewer than {num_buttons} buttons and {num_axes} axes"));
        for n in 0..num_buttons {
            // A button that a device does not have is null.
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

/// A number, or null, which JavaScript writes for numbers that are none.
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
        let too_few = || A::Error::custom(format!("{n} numbers for {of} instead of {count}"));
        *slot = items.next_element::<Number>()?.ok_or_else(too_few)?.0;
    }
    Ok(())
}

fn part<'de, A: SeqAccess<'de>>(items: &mut A, reader: impl ListReader) -> Result<(), A::Error> {
    let missing = || A::Error::custom("it has fewer parts than the schema says");
    items.next_element_seed(List(reader))?.ok_or_else(missing)
}

fn end<'de, A: SeqAccess<'de>>(mut items: A, of: &str) -> Result<(), A::Error> {
    let surplus = items.next_element::<IgnoredAny>()?;
    surplus.map_or(Ok(()), |_| Err(A::Error::custom(format!("there is more in {of} than belongs there"))))
}
