//! Raw motion of a device, frame by frame.

use std::fs;

use holotape::format::Channels;
use holotape::{BoolCurve, Curve, Frame, Hand, HandFrame, Keys, LinearKey, Pose, Ray, Recording};

use super::testdata;

/// Ten seconds of a device at 60 Hz, with jitter, tremor, tracking losses and pinches. They start at 3.27 s.
pub fn device_frames() -> Vec<Frame> {
    let bytes = fs::read(testdata("motion/device_10s.f32")).expect("readable");
    let numbers: Vec<f32> = bytes.as_chunks().0.iter().map(|word| f32::from_le_bytes(*word)).collect();
    let (frames, rest) = numbers.as_chunks::<396>();
    assert!(frames.len() == 600 && rest.is_empty());
    frames.iter().map(frame).collect()
}

/// The same motion repeated, alternately forwards and backwards so that it is continuous.
pub fn device_frames_for(seconds: u32) -> Vec<Frame> {
    let there = device_frames();
    let steps = there.len() - 1;
    (0..seconds * 60)
        .map(|n| {
            let at = n as usize % (2 * steps);
            let mut frame = there[at.min(2 * steps - at)].clone();
            frame.time = f64::from(n) / 60.0;
            frame
        })
        .collect()
}

fn frame(numbers: &[f32; 396]) -> Frame {
    let flags = &numbers[14..18];
    let hand = |hand: Hand| HandFrame {
        tracked: flags[hand as usize] > 0.5,
        pinching: flags[2 + hand as usize] > 0.5,
        joints: std::array::from_fn(|joint| pose(&numbers[18 + hand as usize * 189 + joint * 7..][..7])),
    };
    Frame {
        time: numbers[0].into(),
        camera: pose(&numbers[1..8]),
        gaze: Some(Ray { origin: array(&numbers[8..11]), direction: array(&numbers[11..14]) }),
        left: Some(hand(Hand::Left)),
        right: Some(hand(Hand::Right)),
    }
}

fn pose(numbers: &[f32]) -> Option<Pose> {
    (!numbers[0].is_nan()).then(|| Pose { position: array(&numbers[..3]), rotation: array(&numbers[3..]) })
}

fn array<const N: usize>(numbers: &[f32]) -> [f32; N] {
    numbers.try_into().expect("the array length matches")
}

/// A recording with one key per frame, as a recorder without key reduction writes it.
pub fn recording_of(frames: &[Frame]) -> Recording {
    let mut recording = Recording::with_channels(Channels::ALL);
    for frame in frames {
        let time = frame.time as f32;
        if let (Some(curves), Some(pose)) = (&mut recording.camera, &frame.camera) {
            push(&mut curves.position, time, pose.position);
            push(&mut curves.rotation, time, pose.rotation);
        }
        if let (Some(curves), Some(ray)) = (&mut recording.gaze, &frame.gaze) {
            push(&mut curves.origin, time, ray.origin);
            push(&mut curves.direction, time, ray.direction);
        }
        for (hand, sampled) in Hand::ALL.into_iter().filter_map(|hand| Some((hand, frame.hand(hand)?))) {
            let curves = recording.hand_mut(hand);
            push_flag(&mut curves.tracked, time, sampled.tracked);
            push_flag(&mut curves.pinching, time, sampled.pinching);
            for (curves, pose) in curves.joints.iter_mut().zip(sampled.joints.iter()) {
                let Some(pose) = pose else { continue };
                push(&mut curves.position, time, pose.position);
                push(&mut curves.rotation, time, pose.rotation);
            }
        }
    }
    recording
}

fn push<const N: usize>(curves: &mut [Curve; N], time: f32, values: [f32; N]) {
    for (curve, value) in curves.iter_mut().zip(values) {
        let Keys::Linear(keys) = &mut curve.keys else { unreachable!("made here") };
        keys.push(LinearKey::new(time, value));
    }
}

fn push_flag(curve: &mut BoolCurve, time: f32, value: bool) {
    let value = f32::from(u8::from(value));
    if curve.keys.last().is_none_or(|last| last.value != value) {
        curve.keys.push(LinearKey::new(time, value));
    }
}
