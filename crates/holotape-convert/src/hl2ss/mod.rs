//! Reads streams of a HoloLens 2 as stored by the viewer of [hl2ss](https://github.com/jdibenes/hl2ss): one file per
//! stream.
//!
//! Supported are spatial input (port 3812) with head, hands and gaze, and the extended eye tracker (port 3817) with the
//! gaze. A file has a header (`HL2SSV23` or, in older files, `X38HL2SS`; the port; user data) and packets. Times count
//! from the start of the device. Other versions are supported if their packets have a known size.

mod eye_tracker;
mod packet;
mod spatial_input;

use holotape::{Error, ErrorKind, Recording, Result};

use self::packet::Packets;
use crate::{LossKind, Losses};

/// The current and the older magic bytes.
const MAGIC: &[u8] = b"HL2SSV";
const OLD_MAGIC: &[u8] = b"X38HL2SS";
const MAGIC_BYTES: usize = 8;

const SPATIAL_INPUT: u16 = 3812;
const EYE_TRACKER: u16 = 3817;

/// Reads spatial input or a stream of the extended eye tracker.
///
/// Each packet has valid flags; invalid data is dropped, as are poses that are not finite. A recording cannot represent
/// joint radii and accuracies.
///
/// ```
/// # let bytes = include_bytes!("../../../../testdata/import/hl2ss_spatial_input.bin");
/// use holotape::{Hand, Joint};
///
/// let (recording, losses) = holotape_convert::hl2ss::read(bytes)?;
/// assert!(recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(0.0).is_some());
/// assert_eq!(losses.iter().next().unwrap().to_string(), "dropped the joint radii: not part of a recording");
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If this is not an hl2ss file, it has another stream, or a packet has an unknown size. A truncated last packet is a
/// loss.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let Header { port, user_bytes, byte_count } = Header::read(bytes)?;
    let (recording, mut losses) = match port {
        SPATIAL_INPUT => spatial_input::read(Packets::new(bytes, byte_count))?,
        EYE_TRACKER => eye_tracker::read(bytes, byte_count)?,
        port => return Err(other_stream(port)),
    };
    losses.push_if(user_bytes > 0, LossKind::Unsupported, || {
        format!("dropped {user_bytes} bytes of user data: not part of a recording")
    });
    Ok((recording, losses))
}

struct Header {
    port: u16,
    user_bytes: usize,
    byte_count: usize,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Self> {
        if !bytes.starts_with(MAGIC) && !bytes.starts_with(OLD_MAGIC) {
            return Err(Error::new(ErrorKind::NotARecording, "not an hl2ss file: unknown magic bytes"));
        }
        let truncated = || Error::new(ErrorKind::Truncated, format!("the header is truncated at byte {}", bytes.len()));
        let (port, rest) = bytes.get(MAGIC_BYTES..).and_then(|rest| rest.split_first_chunk()).ok_or_else(truncated)?;
        let (user_bytes, rest) = rest.split_first_chunk().ok_or_else(truncated)?;
        let user_bytes = u32::from_le_bytes(*user_bytes) as usize;
        if user_bytes > rest.len() {
            let message = format!("the header is truncated: {} of {user_bytes} bytes of user data", rest.len());
            return Err(Error::new(ErrorKind::Truncated, message));
        }
        let byte_count = bytes.len() - rest.len() + user_bytes;
        Ok(Self { port: u16::from_le_bytes(*port), user_bytes, byte_count })
    }
}

fn other_stream(port: u16) -> Error {
    let name = match port {
        3800..=3803 => "a grey camera",
        3804 | 3805 | 3821 => "the depth camera",
        3806 => "the accelerometer",
        3807 => "the gyroscope",
        3808 => "the magnetometer",
        3810 | 3819 => "video",
        3811 | 3818 => "sound",
        _ => "unknown stream",
    };
    let message =
        format!("unsupported hl2ss stream: port {port} ({name}); head, hands and gaze are on port {SPATIAL_INPUT}");
    Error::new(ErrorKind::NotARecording, message)
}
