//! Port 3817: gaze rays in tracker coordinates, each with the tracker's pose.

use glam::{DMat4, DVec3};
use holotape::text::pluralize;
use holotape::{Error, ErrorKind, Ray, Recording, Result};

use super::packet::{Packet, Packets, Sizes, floats};
use crate::assemble::RecordingAssembler;
use crate::{LossKind, Losses, Space, rigid};

/// Four unused bytes, 21 floats, and the valid bits.
const UNUSED_BYTES: usize = 4;
const PAYLOAD_BYTES: usize = UNUSED_BYTES + 21 * 4 + 4;
const SIZES: Sizes = Sizes { payload: &[PAYLOAD_BYTES], trailer: 64, stream: "the extended eye tracker" };

const CALIBRATION_BIT: u8 = 1;
const RAY_BIT: u8 = 1 << 1;

/// Values of the tracker that a recording cannot represent, by valid bit.
const UNSUPPORTED_FIELDS: [(u8, &str); 3] =
    [(0b1100, "the ray of each eye"), (0b11_0000, "the openness of each eye"), (1 << 6, "the vergence distance")];

pub(super) fn read(bytes: &[u8], offset: usize) -> Result<(Recording, Losses)> {
    // The header ends with the requested frame rate.
    let truncated = || Error::new(ErrorKind::Truncated, format!("the header is truncated at byte {}", bytes.len()));
    let offset = Some(offset + 1).filter(|offset| *offset <= bytes.len()).ok_or_else(truncated)?;
    let mut tracker = EyeTracker { assembler: RecordingAssembler::new(0.0), uncalibrated: 0, seen_bits: 0 };
    let truncation_loss = Packets::new(bytes, offset).read(&SIZES, |packet| tracker.push_packet(&packet))?;
    let (recording, mut losses) = tracker.finish();
    losses.extend(truncation_loss);
    Ok((recording, losses))
}

struct EyeTracker {
    assembler: RecordingAssembler,
    uncalibrated: usize,
    seen_bits: u8,
}

impl EyeTracker {
    fn push_packet(&mut self, packet: &Packet<'_>) {
        let bits = packet.payload[PAYLOAD_BYTES - 4];
        let device = floats::<16>(packet.trailer).map(f64::from);
        // The pose is all zeros if the device was not localized.
        let is_located = device[15] != 0.0;
        let has_ray = bits & RAY_BIT != 0 && is_located;
        self.seen_bits |= bits;
        self.uncalibrated += usize::from(has_ray && bits & CALIBRATION_BIT == 0);
        let ray = has_ray.then(|| world_ray(&packet.payload[UNUSED_BYTES..], &device));
        self.assembler.gaze(packet.time_secs, ray);
    }

    fn finish(self) -> (Recording, Losses) {
        let (recording, mut losses) = self.assembler.finish();
        let unsupported = UNSUPPORTED_FIELDS.into_iter().filter(|(bits, _)| self.seen_bits & bits != 0);
        let unsupported: Vec<_> = unsupported.map(|(_, name)| name).collect();
        losses.push_if(!unsupported.is_empty(), LossKind::Unsupported, || {
            format!("dropped {}: not part of a recording", unsupported.join(", "))
        });
        losses.push_if(self.uncalibrated > 0, LossKind::Unsupported, || {
            let rays = pluralize(self.uncalibrated, "ray");
            format!("dropped the uncalibrated flag of {rays}: not part of a recording")
        });
        (recording, losses)
    }
}

/// The combined ray of both eyes in world coordinates. The matrix is for row vectors, so its rows are columns here.
fn world_ray(payload: &[u8], device: &[f64; 16]) -> Option<Ray> {
    let [x, y, z, direction @ ..] = floats::<6>(payload);
    let device = DMat4::from_cols_array(device);
    rigid::pose_from_matrix(&device)?;
    let origin = device.transform_point3(DVec3::from_array([x, y, z].map(f64::from)));
    let direction = device.transform_vector3(DVec3::from_array(direction.map(f64::from)));
    let [origin, direction] = [origin, direction].map(|vector| vector.as_vec3().to_array());
    Some(Space::RightHanded.ray(Ray { origin, direction: rigid::unit(direction)? }))
}
