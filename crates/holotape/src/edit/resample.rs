//! A recording with a key at every frame.

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::times::checked_end_secs;
use crate::error::{Error, ErrorKind, Result};
use crate::format::{KeyLayout, ReadOptions};
use crate::{BoolCurve, Curve, Frame, Hand, HandCurves, Keys, LinearKey, Pose, PoseCurves, Recording, times_at_rate};

/// The recording with one key a frame, so many a second from time 0 on, straight from each to the next.
///
/// Poses are what a [`Sampler`](crate::Sampler) gives: rotations of length 1, by the short way. Flags and markers stay
/// as they are. Where a hand is not tracked its joints have no keys; they have one more where it is found and where it
/// is lost, so that a gap has no part in the poses beside it. The last frame is the last that lies within the
/// recording.
///
/// ```
/// use holotape::{Hand, Joint, edit};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// let take = edit::resample(&take, 30.0)?;
/// let camera = take.camera.as_ref().unwrap();
/// assert_eq!(camera.position[0].keys.len(), 61);
/// assert_eq!(camera.position[0].keys.iter().nth(15).unwrap().time, 0.5);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`] if there is no such rate, or if a key is at no time; [`ErrorKind::LimitExceeded`] if the
/// result would be larger than [`ReadOptions::DEFAULT_MAX_BYTES`], which is known before anything is made.
pub fn resample(recording: &Recording, rate_hz: f64) -> Result<Recording> {
    let end = checked_end_secs(recording)?;
    check_size(recording, end, rate_hz)?;
    let mut sampler = recording.sampler().with_untracked_poses(true);
    let mut frame = Frame::default();
    let mut sampled = without_keys(recording);
    for moment in sample_times(recording, end, rate_hz)? {
        sampler.frame_into(moment.time.into(), &mut frame);
        push(&mut sampled, &frame, &moment);
    }
    Ok(sampled)
}

fn check_size(recording: &Recording, end: f32, rate_hz: f64) -> Result<()> {
    if !(rate_hz > 0.0 && rate_hz.is_finite()) {
        return Err(Error::new(ErrorKind::Invalid, format!("there cannot be {rate_hz} frames a second")));
    }
    let curves = recording.curves().filter(|(id, curve)| !id.is_bool() && curve.key_count() > 0).count();
    let frames = f64::from(end) * rate_hz + 1.0;
    // A frame takes a little even if there is nothing in it.
    let frame_bytes = (curves.max(2) as u64 * KeyLayout::Compact.key_bytes()) as f64;
    if frames * frame_bytes > ReadOptions::DEFAULT_MAX_BYTES as f64 {
        let message = format!("{end} seconds at {rate_hz} frames a second are more than a file may hold");
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    Ok(())
}

/// A time at which something gets keys: everything if it is a frame, a hand if it is found or lost.
#[derive(Clone, Copy, Debug)]
struct SampleTime {
    time: f32,
    is_frame: bool,
    changes: [bool; 2],
}

fn sample_times(recording: &Recording, end: f32, rate_hz: f64) -> Result<Vec<SampleTime>> {
    let frame = |time| SampleTime { time: time as f32, is_frame: true, changes: [false; 2] };
    let mut moments: Vec<_> = times_at_rate(0.0..=end.into(), rate_hz).map(frame).collect();
    for hand in Hand::ALL {
        let change = |time| SampleTime { time, is_frame: false, changes: Hand::ALL.map(|other| other == hand) };
        moments.extend(flag_change_times(&recording.hand(hand).tracked, end)?.into_iter().map(change));
    }
    moments.sort_by(|a, b| a.time.total_cmp(&b.time));
    moments.dedup_by(|next, moment| {
        let is_same = next.time == moment.time;
        if is_same {
            moment.is_frame |= next.is_frame;
            moment.changes = [0, 1].map(|hand| moment.changes[hand] || next.changes[hand]);
        }
        is_same
    });
    Ok(moments)
}

/// When a flag changes after time 0.
fn flag_change_times(curve: &BoolCurve, end: f32) -> Result<Vec<f32>> {
    let mut strand = EditableCurve::from_bool_curve(curve);
    strand.clip(0.0, end, &mut KeyBudget::new())?;
    let flags = strand.into_bool_curve().keys;
    let changes = flags.windows(2).filter(|pair| (pair[0].value > 0.5) != (pair[1].value > 0.5));
    Ok(changes.map(|pair| pair[1].time).collect())
}

/// The same recording, of which only flags and markers have anything.
fn without_keys(recording: &Recording) -> Recording {
    let mut empty = Recording::with_channels(recording.channels());
    (empty.format, empty.markers) = (recording.format, recording.markers.clone());
    for hand in Hand::ALL.into_iter().filter(|_| recording.hands.is_some()) {
        let HandCurves { tracked, pinching, .. } = recording.hand(hand);
        let flags = empty.hand_mut(hand);
        (flags.tracked, flags.pinching) = (tracked.clone(), pinching.clone());
    }
    empty
}

fn push(recording: &mut Recording, frame: &Frame, moment: &SampleTime) {
    if moment.is_frame {
        if let Some((curves, pose)) = recording.camera.as_mut().zip(frame.camera) {
            push_pose(curves, moment.time, &pose);
        }
        if let Some((curves, ray)) = recording.gaze.as_mut().zip(frame.gaze) {
            push_keys(&mut curves.origin, moment.time, ray.origin);
            push_keys(&mut curves.direction, moment.time, ray.direction);
        }
    }
    for hand in Hand::ALL {
        let Some(sampled) = frame.hand(hand) else { continue };
        if moment.changes[hand as usize] || moment.is_frame && sampled.tracked {
            for (curves, pose) in recording.hand_mut(hand).joints.iter_mut().zip(&sampled.joints) {
                pose.iter().for_each(|pose| push_pose(curves, moment.time, pose));
            }
        }
    }
}

/// Adds a key to a pose. Of the two quaternions of a rotation it is the one nearer to the key before.
fn push_pose(curves: &mut PoseCurves, time: f32, pose: &Pose) {
    let last = |curve: &Curve| curve.keys.iter().next_back().map_or(0.0, |key| key.value);
    let dot: f32 = curves.rotation.iter().zip(pose.rotation).map(|(curve, value)| last(curve) * value).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    push_keys(&mut curves.position, time, pose.position);
    push_keys(&mut curves.rotation, time, pose.rotation.map(|value| sign * value));
}

fn push_keys<const N: usize>(curves: &mut [Curve; N], time: f32, values: [f32; N]) {
    for (curve, value) in curves.iter_mut().zip(values) {
        let key = LinearKey::new(time, value);
        match &mut curve.keys {
            Keys::Linear(keys) => keys.push(key),
            Keys::Bezier(keys) => keys.push(key.into()),
        }
    }
}
