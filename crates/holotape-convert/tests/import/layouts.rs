//! Writes frames in the layouts of EgoDex, Vision Pro and Aria MPS, with their joints, axes and coordinates.

use std::fmt::Write;

use glam::{DMat3, DMat4, DQuat, DVec3};
use hdf5_pure::{AttrValue, FileBuilder};
use holotape::demo::DemoOptions;
use holotape::{Frame, Hand, Joint, Pose, Recording, Skeleton};

/// A demo in which the head and both hands move.
pub fn demo() -> Recording {
    DemoOptions::new().with_seconds(6.0).with_seed(5).generate().expect("a demo")
}

/// Frames of the demo at 30 Hz. Times are whole microseconds.
pub fn frames(recording: &Recording, count: usize) -> Vec<Frame> {
    let mut sampler = recording.sampler();
    (0..count).map(|n| sampler.frame_at((n as f64 / 30.0 * 1e6).round() / 1e6)).collect()
}

/// The index of the first frame that has both hands, and is followed by four others with them.
pub fn first_with_hands(frames: &[Frame]) -> usize {
    let is_tracked = |frame: &Frame| Hand::ALL.iter().all(|hand| frame.hand(*hand).is_some_and(|hand| hand.tracked));
    frames.windows(5).position(|frames| frames.iter().all(is_tracked)).expect("the demo has both hands")
}

fn matrix(pose: Pose) -> DMat4 {
    let rotation = DQuat::from_array(pose.rotation.map(f64::from)).normalize();
    DMat4::from_rotation_translation(rotation, DVec3::from_array(pose.position.map(f64::from)))
}

/// The matrix of a joint in ARKit's world.
fn arkit_joint(frame: &Frame, hand: Hand, joint: Joint) -> Option<DMat4> {
    let hand_frame = frame.hand(hand).filter(|hand| hand.tracked)?;
    hand_frame.joints[joint.index()].map(|pose| matrix(Skeleton::ArKit.export_pose(hand, pose)))
}

/// The head in right-handed coordinates, y up, z backward.
fn head(frame: &Frame) -> Option<DMat4> {
    frame.camera.map(|pose| matrix(Skeleton::OpenXr.export_pose(Hand::Left, pose)))
}

pub mod vision_pro {
    use super::*;

    fn name(joint: Joint) -> String {
        Skeleton::ArKit.joint_name(joint).expect("a joint of ARKit").replace("Finger", "")
    }

    fn numbers(matrix: DMat4, decimals: usize) -> String {
        let numbers = matrix.to_cols_array().map(|number| format!("{number:.decimals$}"));
        format!("[{}]", numbers.join(","))
    }

    fn hand(frame: &Frame, hand: Hand, decimals: usize) -> Option<String> {
        let wrist = arkit_joint(frame, hand, Joint::Wrist)?;
        let mut text = format!("\"wrist\":{}", numbers(wrist, decimals));
        for joint in Skeleton::ArKit.joints().filter(|joint| *joint != Joint::Wrist) {
            let local = wrist.inverse() * arkit_joint(frame, hand, joint)?;
            write!(text, ",\"{}\":{}", name(joint), numbers(local, decimals)).expect("text");
        }
        Some(text)
    }

    /// A line. `extra` is added to the left hand.
    pub fn line(frame: &Frame, start_secs: f64, decimals: usize, extra: &str) -> String {
        let mut text = format!("{{\"timestamp\":{},\"systemTime\":1700000000.5", start_secs + frame.time);
        if let Some(head) = head(frame) {
            write!(text, ",\"headMatrix\":{}", numbers(head, decimals)).expect("text");
        }
        for (side, extra) in Hand::ALL.into_iter().zip([extra, ""]) {
            if let Some(joints) = hand(frame, side, decimals) {
                write!(text, ",\"{side}Hand\":{{{joints}{extra}}}").expect("text");
            }
        }
        text + ",\"videoFrameIndex\":0,\"videoWidth\":0,\"videoHeight\":0}\n"
    }

    pub fn file(frames: &[Frame], decimals: usize) -> String {
        frames.iter().map(|frame| line(frame, 0.25, decimals, "")).collect()
    }
}

pub mod egodex {
    use super::*;

    /// Image axes: y down, z forward.
    fn camera(head: DMat4) -> DMat4 {
        head * DMat4::from_scale(DVec3::new(1.0, -1.0, -1.0))
    }

    fn name(hand: Hand, joint: Joint) -> String {
        let name = Skeleton::ArKit.joint_name(joint).expect("a joint of ARKit");
        let name = if joint == Joint::Wrist { "Hand".to_owned() } else { name[..1].to_uppercase() + &name[1..] };
        format!("{hand}{name}")
    }

    fn rows(matrix: DMat4) -> [f32; 16] {
        matrix.transpose().to_cols_array().map(|number| number as f32)
    }

    /// A file. Hands that are not tracked have confidence 0 and stale matrices.
    pub fn file(frames: &[Frame]) -> Vec<u8> {
        let count = frames.len() as u64;
        let mut builder = FileBuilder::new();
        builder.set_attr("llm_description", AttrValue::String("Reach for the cup.".into()));
        let mut transforms = builder.create_group("transforms");
        let mut add = |name: &str, matrices: Vec<[f32; 16]>| {
            transforms.create_dataset(name).with_f32_data(matrices.as_flattened()).with_shape(&[count, 4, 4]);
        };
        add("camera", frames.iter().map(|frame| rows(camera(head(frame).expect("a head")))).collect());
        add("hip", vec![rows(DMat4::IDENTITY); frames.len()]);
        for hand in Hand::ALL {
            for joint in Skeleton::ArKit.joints() {
                let matrix = |frame| rows(arkit_joint(frame, hand, joint).unwrap_or(DMat4::IDENTITY));
                add(&name(hand, joint), frames.iter().map(matrix).collect());
            }
        }
        builder.add_group(transforms.finish());
        let mut confidences = builder.create_group("confidences");
        for hand in Hand::ALL {
            let confidence = |frame| if arkit_joint(frame, hand, Joint::Wrist).is_some() { 0.9 } else { 0.0 };
            let numbers: Vec<f32> = frames.iter().map(confidence).collect();
            confidences.create_dataset(&format!("{hand}Hand")).with_f32_data(&numbers).with_shape(&[count]);
        }
        builder.add_group(confidences.finish());
        builder.finish().expect("a file")
    }
}

pub mod aria_mps {
    use super::*;

    /// The start of the clock in microseconds.
    pub const START_US: i64 = 149_202_610;

    /// The left SLAM camera of the first generation in the central pupil frame: position, y and z axis.
    const CAMERA: [[f64; 3]; 3] =
        [[0.0702, 0.00237, 0.00885], [0.793353, 0.0, -0.608761], [0.607927, -0.052336, 0.792266]];

    /// The device in a world with z up.
    fn world_device(frame: &Frame) -> DMat4 {
        let [position, y, z] = CAMERA.map(DVec3::from_array);
        let z = z.normalize();
        let x = y.cross(z).normalize();
        let axes = DMat3::from_cols(x, z.cross(x), z);
        let device_in_cpf = DMat4::from_translation(position) * DMat4::from_mat3(axes);
        // The head has z backward and x right, the central pupil frame z forward and x left.
        let cpf = head(frame).expect("a head") * DMat4::from_scale(DVec3::new(-1.0, 1.0, -1.0));
        let z_up = DMat4::from_rotation_x(std::f64::consts::FRAC_PI_2);
        z_up * cpf * device_in_cpf
    }

    fn time_us(frame: &Frame) -> i64 {
        START_US + (frame.time * 1e6).round() as i64
    }

    pub fn trajectory(frames: &[Frame], decimals: usize) -> String {
        let mut text = "graph_uid,tracking_timestamp_us,utc_timestamp_ns,tx_world_device,ty_world_device,\
                        tz_world_device,qx_world_device,qy_world_device,qz_world_device,qw_world_device,\
                        device_linear_velocity_x_device,device_linear_velocity_y_device,\
                        device_linear_velocity_z_device,angular_velocity_x_device,angular_velocity_y_device,\
                        angular_velocity_z_device,gravity_x_world,gravity_y_world,gravity_z_world,quality_score\n"
            .to_owned();
        for frame in frames {
            let (_, rotation, position) = world_device(frame).to_scale_rotation_translation();
            let numbers = position.to_array().into_iter().chain(rotation.to_array());
            let numbers: String = numbers.map(|number| format!(",{number:.decimals$}")).collect();
            writeln!(text, "a-map,{},-1{numbers},0,0,0,0,0,0,0,0,-9.81,1", time_us(frame)).expect("text");
        }
        text
    }

    fn columns(names: impl Fn(&str) -> Vec<String>) -> String {
        Hand::ALL.map(|hand| names(hand.name()).join(",")).join(",")
    }

    fn hands_header() -> String {
        let landmarks = |hand: &str| {
            let confidence = [format!("{hand}_tracking_confidence")];
            let names =
                (0..21).flat_map(|n| ["tx", "ty", "tz"].map(|axis| format!("{axis}_{hand}_landmark_{n}_device")));
            confidence.into_iter().chain(names).collect()
        };
        let wrist = |hand: &str| {
            ["tx", "ty", "tz", "qx", "qy", "qz", "qw"].map(|name| format!("{name}_{hand}_device_wrist")).to_vec()
        };
        let normals = |hand: &str| {
            let names =
                ["palm", "wrist"].map(|part| ["nx", "ny", "nz"].map(|axis| format!("{axis}_{hand}_{part}_device")));
            names.concat()
        };
        format!("tracking_timestamp_us,{},{},{}\n", columns(landmarks), columns(wrist), columns(normals))
    }

    pub fn hands(frames: &[Frame], decimals: usize) -> String {
        let mut text = hands_header();
        for frame in frames {
            let device = world_device(frame).inverse();
            let mut wrists = String::new();
            write!(text, "{}", time_us(frame)).expect("text");
            for hand in Hand::ALL {
                let joints = frame.hand(hand).filter(|hand| hand.tracked).map(|hand| hand.joints);
                write!(text, ",{}", if joints.is_some() { "0.95" } else { "-1" }).expect("text");
                for index in 0..21 {
                    let joint = Skeleton::Aria.joint(index).expect("a joint of Aria");
                    let pose = joints.and_then(|joints| joints[joint.index()]);
                    let point = pose.map_or(DVec3::ZERO, |pose| {
                        let [x, y, z] = pose.position.map(f64::from);
                        // From Unity to z up.
                        device.transform_point3(DVec3::new(x, z, y))
                    });
                    let cells = point.to_array().map(|number| format!(",{number:.decimals$}")).concat();
                    text += &cells;
                    if joint == Joint::Wrist {
                        wrists += &format!("{cells},0,0,0,1");
                    }
                }
            }
            writeln!(text, "{wrists}{}", ",0,0,1".repeat(4)).expect("text");
        }
        text
    }

    /// Yaw and pitch of both eyes, which look at a point 2 m away.
    pub fn gaze(frames: &[Frame], decimals: usize) -> String {
        let mut text = "tracking_timestamp_us,left_yaw_rads_cpf,right_yaw_rads_cpf,pitch_rads_cpf,depth_m,\
                        left_yaw_low_rads_cpf,right_yaw_low_rads_cpf,pitch_low_rads_cpf,left_yaw_high_rads_cpf,\
                        right_yaw_high_rads_cpf,pitch_high_rads_cpf,tx_left_eye_cpf,ty_left_eye_cpf,tz_left_eye_cpf,\
                        tx_right_eye_cpf,ty_right_eye_cpf,tz_right_eye_cpf,session_uid\n"
            .to_owned();
        for frame in frames {
            let (Some(gaze), Some(head)) = (frame.gaze, head(frame)) else { continue };
            let [x, y, z] = gaze.direction.map(f64::from);
            let local = head.inverse().transform_vector3(DVec3::new(x, y, -z));
            let (yaw, pitch) = (-local.x / -local.z, (local.y / -local.z).atan());
            // The tangent of the combined yaw is the mean of both.
            let yaws = [yaw - 0.0315 / 2.0, yaw + 0.0315 / 2.0].map(f64::atan);
            let numbers = [yaws[0], yaws[1], pitch].map(|number| format!(",{number:.decimals$}")).concat();
            writeln!(text, "{}{numbers},2{numbers}{numbers},0.0315,0,0,-0.0315,0,0,s-1", time_us(frame)).expect("text");
        }
        text
    }
}
