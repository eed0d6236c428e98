//! Reads logs.

use std::collections::BTreeMap;

use holotape::format::ReadOptions;
use holotape::text::pluralize;
use holotape::{Error, ErrorKind, Hand, PoseId, Recording, Result, Skeleton};

use super::container::{self, Ending, Record};
use super::message::{self, HandJoint, HandJoints, Head, Message, Timestamp};
use super::{HAND_SCHEMA, HEAD_SCHEMA, struct_sizes};
use crate::assemble::RecordingAssembler;
use crate::hand_joints;
use crate::joint::is_typical_radius;
use crate::{Loss, LossKind, Losses, Space};

/// The bytes of the seven keys of a pose in an input animation.
const POSE_KEYS_BYTES: u64 = 7 * 8;

/// Reads a log. The first message of a hand or of the head is at time 0.
///
/// Hands and head are recognized by the schemas of their channels. A hand is tracked in messages with data. Joints and
/// heads that are marked as invalid are left out. Pinches are not in a log; controllers and other devices are dropped
/// and reported.
///
/// ```
/// # let bytes = include_bytes!("../../../../testdata/isaac/teleop_monado.mcap");
/// use holotape::{Hand, Joint};
///
/// let (recording, _) = holotape_convert::isaac::read(bytes)?;
/// assert!(recording.camera.is_some());
/// assert!(recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(0.0).is_some());
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If this is not an MCAP log, it has neither hands nor a head, it is damaged, or its schemas have other structs. The
/// message names the channel and the message, or the byte. A truncated log is read up to there, with a loss.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    read_up_to(bytes, ReadOptions::DEFAULT_MAX_BYTES)
}

/// Reads a log whose recording and whose decompressed chunks have at most `max_bytes` each.
pub(crate) fn read_up_to(bytes: &[u8], max_bytes: u64) -> Result<(Recording, Losses)> {
    let survey = Survey::new(bytes, max_bytes)?;
    let Some(start_ns) = survey.start_ns else {
        return Err(survey.empty_error());
    };
    let mut reader = Reader::new(start_ns, max_bytes);
    container::visit(bytes, max_bytes, &mut |record| match record {
        Record::Message { channel_id, log_time_ns, data } => match survey.channels.get(&channel_id) {
            Some(Channel { role: Role::Used(part), topic, .. }) => {
                reader.message(*part, log_time_ns, data).map_err(|message| reader.with_place(*part, topic, &message))
            }
            _ => Ok(()),
        },
        _ => Ok(()),
    })?;
    if reader.is_too_large() {
        let message = format!("the log is a recording of more than {max_bytes} bytes");
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    let (recording, mut losses) = reader.finish();
    survey.add_losses(&mut losses);
    Ok((recording, losses))
}

/// Whether a log has a schema of hands or heads, at least in its readable part.
pub(crate) fn has_schemas(bytes: &[u8]) -> bool {
    let mut is_found = false;
    // Errors are reported when the log is read.
    let _ = container::visit(bytes, ReadOptions::DEFAULT_MAX_BYTES, &mut |record| match record {
        Record::Schema { name, .. } if is_known(name) => {
            is_found = true;
            Err(String::new())
        }
        _ => Ok(()),
    });
    is_found
}

fn is_known(schema_name: &[u8]) -> bool {
    [HAND_SCHEMA, HEAD_SCHEMA].iter().any(|known| known.as_bytes() == schema_name)
}

/// The body part of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Head,
    Hand(Hand),
}

/// What a channel is used for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    Used(Part),
    /// A second channel of the same body part.
    Duplicate,
    /// Neither hand nor head.
    Other,
}

struct Channel {
    topic: String,
    schema_name: String,
    role: Role,
    messages: usize,
}

/// The channels of a log, and the time of the first message.
#[derive(Default)]
struct Survey {
    schemas: BTreeMap<u16, String>,
    channels: BTreeMap<u16, Channel>,
    /// Whether head, left hand and right hand have a channel.
    has_channel: [bool; 3],
    start_ns: Option<u64>,
    attachments: usize,
    ending: Option<Ending>,
}

impl Survey {
    fn new(bytes: &[u8], max_bytes: u64) -> Result<Self> {
        let mut survey = Self::default();
        let ending = container::visit(bytes, max_bytes, &mut |record| survey.add(&record))?;
        Ok(Self { ending: Some(ending), ..survey })
    }

    fn add(&mut self, record: &Record<'_>) -> Result<(), String> {
        match *record {
            Record::Schema { id, name, data } => {
                if is_known(name) {
                    struct_sizes::check(data).map_err(|message| format!("schema {}: {message}", text(name)))?;
                }
                self.schemas.entry(id).or_insert_with(|| text(name));
            }
            Record::Channel { id, schema_id, topic } => self.add_channel(id, schema_id, topic)?,
            Record::Message { channel_id, log_time_ns, .. } => {
                let channel = self.channels.get_mut(&channel_id);
                let channel = channel.ok_or_else(|| format!("a message of the unknown channel {channel_id}"))?;
                channel.messages += 1;
                if matches!(channel.role, Role::Used(_)) {
                    self.start_ns = Some(self.start_ns.map_or(log_time_ns, |start_ns| start_ns.min(log_time_ns)));
                }
            }
            Record::Attachment => self.attachments += 1,
        }
        Ok(())
    }

    fn add_channel(&mut self, id: u16, schema_id: u16, topic: &[u8]) -> Result<(), String> {
        if self.channels.contains_key(&id) {
            return Ok(());
        }
        // Number 0 is that of channels without a schema.
        let schema_name = match self.schemas.get(&schema_id) {
            Some(name) => name.clone(),
            None if schema_id == 0 => String::new(),
            None => return Err(format!("channel {:?} has the unknown schema {schema_id}", text(topic))),
        };
        let part = match schema_name.as_str() {
            HEAD_SCHEMA => Some(Part::Head),
            HAND_SCHEMA => hand_of(topic).map(Part::Hand),
            _ => None,
        };
        let role = match part {
            Some(part) if std::mem::replace(&mut self.has_channel[index(part)], true) => Role::Duplicate,
            Some(part) => Role::Used(part),
            None => Role::Other,
        };
        self.channels.insert(id, Channel { topic: text(topic), schema_name, role, messages: 0 });
        Ok(())
    }

    fn empty_error(&self) -> Error {
        if let Some(Ending::Truncated { byte }) = self.ending {
            let message =
                format!("the log is truncated at byte {byte}, before the first message of a hand or of the head");
            return Error::new(ErrorKind::Truncated, message);
        }
        let names: Vec<_> = self.schemas.values().take(5).map(String::as_str).collect();
        let found = if names.is_empty() { "no schemas".to_owned() } else { names.join(", ") };
        let message = format!(
            "the log has no messages of hands or of the head: it has {found}; expected {HAND_SCHEMA} or {HEAD_SCHEMA}"
        );
        Error::new(ErrorKind::NotARecording, message)
    }

    fn add_losses(&self, losses: &mut Losses) {
        for channel in self.channels.values().filter(|channel| channel.messages > 0) {
            let Channel { topic, schema_name, role, messages } = channel;
            let reason = match role {
                Role::Used(_) => continue,
                Role::Duplicate => "another channel has the same body part",
                Role::Other if schema_name == HAND_SCHEMA => "its name ends neither in left_hand nor in right_hand",
                Role::Other => "not part of a recording",
            };
            let count = pluralize(*messages, "message");
            let message = format!("dropped {count} of channel {topic:?} ({schema_name}): {reason}");
            losses.push(Loss::new(LossKind::Unsupported, message));
        }
        losses.push_if(self.attachments > 0, LossKind::Unsupported, || {
            format!("dropped {}: not part of a recording", pluralize(self.attachments, "attachment"))
        });
        if let Some(Ending::Truncated { byte }) = self.ending {
            let message = format!("dropped the end of the log: it is truncated at byte {byte}");
            losses.push(Loss::new(LossKind::Unusable, message));
        }
    }
}

/// The hand of a topic like `hands/left_hand`.
fn hand_of(topic: &[u8]) -> Option<Hand> {
    let name = topic.rsplit(|byte| *byte == b'/').next()?.strip_suffix(b"_hand")?;
    Hand::ALL.into_iter().find(|hand| hand.name().as_bytes() == name)
}

/// The start of a name, for messages. A compressed log may have any number of long names.
fn text(name: &[u8]) -> String {
    const MAX_NAME_BYTES: usize = 256;
    String::from_utf8_lossy(&name[..name.len().min(MAX_NAME_BYTES)]).into_owned()
}

/// Decodes messages, and counts what a recording cannot represent.
struct Reader {
    assembler: RecordingAssembler,
    start_ns: u64,
    rest_bytes: Option<u64>,
    /// Messages read so far: head, left hand, right hand.
    numbers: [usize; 3],
    has_other_times: bool,
    has_other_radii: bool,
    untracked_heads: usize,
}

impl Reader {
    fn new(start_ns: u64, max_bytes: u64) -> Self {
        Self {
            assembler: RecordingAssembler::new(0.0),
            start_ns,
            rest_bytes: Some(max_bytes),
            numbers: [0; 3],
            has_other_times: false,
            has_other_radii: false,
            untracked_heads: 0,
        }
    }

    fn message(&mut self, part: Part, log_time_ns: u64, data: &[u8]) -> Result<(), String> {
        self.numbers[index(part)] += 1;
        let time_secs = log_time_ns.saturating_sub(self.start_ns) as f64 * 1e-9;
        match part {
            Part::Head => self.head(time_secs, &message::decode_head(data)?),
            Part::Hand(hand) => self.hand(hand, time_secs, &message::decode_hand(data)?),
        }
        Ok(())
    }

    fn with_place(&self, part: Part, topic: &str, message: &str) -> String {
        format!("message {} of channel {topic:?}: {message}", self.numbers[index(part)])
    }

    fn head(&mut self, time_secs: f64, message: &Message<Head>) {
        self.timestamp(message.timestamp);
        let head = message.data.filter(|head| head.is_valid);
        self.untracked_heads += usize::from(head.is_some_and(|head| !head.is_tracked));
        if self.spend(1) {
            let pose = head.map(|head| Some(Space::RightHanded.pose(head.pose)));
            self.assembler.pose(PoseId::Camera, time_secs, pose);
        }
    }

    fn hand(&mut self, hand: Hand, time_secs: f64, message: &Message<HandJoints>) {
        self.timestamp(message.timestamp);
        let joints = message.data.as_ref().map_or(&[][..], |joints| joints);
        if !self.spend(joints.len()) {
            return;
        }
        self.assembler.flags(hand, time_secs, message.data.is_some(), None);
        for (joint, HandJoint { pose, is_valid, radius }) in Skeleton::OpenXr.joints().zip(joints) {
            self.has_other_radii |= *is_valid && !is_typical_radius(joint, (*radius).into());
            let pose = is_valid.then(|| Some(Space::RightHanded.pose(*pose)));
            self.assembler.pose(PoseId::Joint(hand, joint), time_secs, pose);
        }
    }

    fn timestamp(&mut self, timestamp: Option<Timestamp>) {
        self.has_other_times |= timestamp.is_some_and(|timestamp| timestamp != Timestamp::at(timestamp.available_ns));
    }

    /// Counts poses; false if the recording is too large.
    fn spend(&mut self, poses: usize) -> bool {
        self.rest_bytes = self.rest_bytes.and_then(|rest| rest.checked_sub(poses as u64 * POSE_KEYS_BYTES));
        self.rest_bytes.is_some()
    }

    fn is_too_large(&self) -> bool {
        self.rest_bytes.is_none()
    }

    fn finish(self) -> (Recording, Losses) {
        let (recording, mut losses) = self.assembler.finish();
        losses.push_if(self.has_other_radii, LossKind::Unsupported, || {
            "dropped the joint radii: not part of a recording".to_owned()
        });
        losses.push_if(self.has_other_times, LossKind::Unsupported, || {
            "dropped the times at which samples were taken: a recording has those at which they became available"
                .to_owned()
        });
        losses.push_if(self.untracked_heads > 0, LossKind::Flags, || {
            format!("dropped the state of the head in {}: not tracked", pluralize(self.untracked_heads, "message"))
        });
        losses.extend(recording.hands.is_some().then(|| hand_joints::pinch_loss("Isaac Teleop")));
        (recording, losses)
    }
}

fn index(part: Part) -> usize {
    match part {
        Part::Head => 0,
        Part::Hand(hand) => 1 + hand as usize,
    }
}
