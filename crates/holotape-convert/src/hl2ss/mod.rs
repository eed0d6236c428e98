//! [hl2ss](https://github.com/jdibenes/hl2ss) streams of a HoloLens 2, as its viewer stores them: one file a stream.
//!
//! Of these, spatial input (port 3812) has head, hands and eyes, and the extended eye tracker (port 3817) the eyes alone.
//! A file has a header — `HL2SSV23` or, in older ones, `X38HL2SS`, the port, and bytes of the user's own — and then
//! packets. Their times count from when the device was started. Other versions are read if their packets have a size
//! that is known.

mod eye_tracker;
mod packet;
mod spatial_input;

use holotape::{Error, ErrorKind, Recording, Result};

use self::packet::Packets;
use crate::{Loss, LossKind, Losses};

/// What files begin with, and the older beginning.
const MAGIC: &[u8] = b"HL2SSV";
const OLD_MAGIC: &[u8] = b"X38HL2SS";
const MAGIC_BYTES: usize = 8;

const SPATIAL_INPUT: u16 = 3812;
const EYE_TRACKER: u16 = 3817;

/// Reads a file of spatial input or of the extended eye tracker.
///
/// The device says with each packet what of it is valid; what is not is left out, as is what has no pose although the
/// device says so. Radii, and how sure the device was of a joint, have no place in a recording.
///
/// ```
/// # let bytes = include_bytes!("../../../../testdata/import/hl2ss_spatial_input.bin");
/// use holotape::{Hand, Joint};
///
/// let (recording, losses) = holotape_convert::hl2ss::read(bytes)?;
/// assert!(recording.hand(Hand::Left).joint(Joint::IndexTip).pose_at(0.0).is_some());
/// assert_eq!(losses.iter().next().unwrap().to_string(), "radii of joints: a recording has no place for them");
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If this is no hl2ss file, or that of another stream, or a packet has a size that none has. A last packet that was cut
/// short is a loss.
pub fn read(bytes: &[u8]) -> Result<(Recording, Losses)> {
    let header = Header::read(bytes)?;
    let (recording, mut losses) = match header.port {
        SPATIAL_INPUT => spatial_input::read(Packets::new(bytes, header.byte_count))?,
        EYE_TRACKER => eye_tracker::read(bytes, header.byte_count)?,
        port => return Err(other_stream(port)),
    };
    let user_data = format!("user data in the header ({} bytes): a recording has no place for it", header.user_bytes);
    losses.extend((header.user_bytes > 0).then(|| Loss::new(LossKind::Unsupported, user_data)));
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
            return Err(Error::new(ErrorKind::NotARecording, "this does not begin as an hl2ss file does"));
        }
        let cut = || Error::new(ErrorKind::Truncated, format!("the header is cut short at byte {}", bytes.len()));
        let (port, rest) = bytes.get(MAGIC_BYTES..).and_then(|rest| rest.split_first_chunk()).ok_or_else(cut)?;
        let (user_bytes, rest) = rest.split_first_chunk().ok_or_else(cut)?;
        let user_bytes = u32::from_le_bytes(*user_bytes) as usize;
        if user_bytes > rest.len() {
            let message = format!("the header promises {user_bytes} bytes of user data, and {} follow", rest.len());
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
        _ => "unknown",
    };
    let message = format!(
        "this is the hl2ss stream of port {port} ({name}); spatial input, with head, hands and eyes, is port {SPATIAL_INPUT}"
    );
    Error::new(ErrorKind::NotARecording, message)
}
