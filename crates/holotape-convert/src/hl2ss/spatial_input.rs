//! Port 3812: head, gaze and both hands in every packet, in right-handed world coordinates.

use holotape::{Hand, Pose, PoseId, Ray, Recording, Result, Skeleton};

use super::packet::{Packet, Packets, Sizes, floats};
use crate::assemble::RecordingAssembler;
use crate::{LossKind, Losses, Space, rigid};

const JOINT_BYTES: usize = 36;
const HAND_BYTES: usize = Skeleton::OpenXr.joint_count() * JOINT_BYTES;
const HEAD_BYTES: usize = 36;
const EYE_BYTES: usize = 24;
const BODY_BYTES: usize = HEAD_BYTES + EYE_BYTES + 2 * HAND_BYTES;

/// The valid bits before the body: four bytes, one in older versions.
const SIZES: Sizes = Sizes { payload: &[4 + BODY_BYTES, 1 + BODY_BYTES], trailer: 0, stream: "spatial input" };

const HEAD_BIT: u8 = 1;
const EYE_BIT: u8 = 1 << 1;
const HAND_BITS: [u8; 2] = [1 << 2, 1 << 3];

pub(super) fn read(packets: Packets<'_>) -> Result<(Recording, Losses)> {
    let mut input = SpatialInput { assembler: RecordingAssembler::new(0.0), joints: 0, approximate_joints: 0 };
    let truncated = packets.read(&SIZES, |packet| input.push_packet(&packet))?;
    let (recording, mut losses) = input.assembler.finish();
    losses.push_if(input.joints > 0, LossKind::Unsupported, || {
        "dropped the joint radii: not part of a recording".to_owned()
    });
    losses.push_if(input.approximate_joints > 0, LossKind::Unsupported, || {
        format!("dropped the accuracy of {} approximate joints: not part of a recording", input.approximate_joints)
    });
    losses.extend(truncated);
    Ok((recording, losses))
}

struct SpatialInput {
    assembler: RecordingAssembler,
    joints: usize,
    approximate_joints: usize,
}

impl SpatialInput {
    fn push_packet(&mut self, packet: &Packet<'_>) {
        let (bits, body) = packet.payload.split_at(packet.payload.len() - BODY_BYTES);
        // Invalid data is not cleared: it keeps its last valid values.
        let is_valid = |bit: u8| bits.first().is_some_and(|bits| bits & bit != 0);
        let (head, body) = body.split_at(HEAD_BYTES);
        let (eye, hands) = body.split_at(EYE_BYTES);
        self.assembler.pose(PoseId::Camera, packet.time_secs, is_valid(HEAD_BIT).then(|| head_pose(head)));
        self.assembler.gaze(packet.time_secs, is_valid(EYE_BIT).then(|| eye_ray(eye)));
        for ((hand, bit), joints) in Hand::ALL.into_iter().zip(HAND_BITS).zip(hands.chunks_exact(HAND_BYTES)) {
            self.assembler.flags(hand, packet.time_secs, is_valid(bit), None);
            if is_valid(bit) {
                self.push_hand(hand, packet.time_secs, joints);
            }
        }
    }

    fn push_hand(&mut self, hand: Hand, time_secs: f64, joints: &[u8]) {
        for (joint, bytes) in Skeleton::OpenXr.joints().zip(joints.chunks_exact(JOINT_BYTES)) {
            let [qx, qy, qz, qw, x, y, z, _radius] = floats(bytes);
            let rotation = rigid::unit([qx, qy, qz, qw]);
            let pose = rotation.map(|rotation| Space::RightHanded.pose(Pose { position: [x, y, z], rotation }));
            self.assembler.pose(PoseId::Joint(hand, joint), time_secs, Some(pose));
            self.joints += 1;
            // 0 is high accuracy, 1 approximate.
            self.approximate_joints += usize::from(bytes.last_chunk() != Some(&[0; 4]));
        }
    }
}

fn head_pose(bytes: &[u8]) -> Option<Pose> {
    let [x, y, z, forward_x, forward_y, forward_z, up_x, up_y, up_z] = floats(bytes);
    let pose = rigid::pose_looking_at([x, y, z], [forward_x, forward_y, forward_z], [up_x, up_y, up_z]);
    pose.map(|pose| Space::RightHanded.pose(pose))
}

fn eye_ray(bytes: &[u8]) -> Option<Ray> {
    let [x, y, z, direction @ ..] = floats::<6>(bytes);
    let direction = rigid::unit(direction)?;
    Some(Space::RightHanded.ray(Ray { origin: [x, y, z], direction }))
}
