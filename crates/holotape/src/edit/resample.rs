//! Resamples a recording at a constant rate.

use super::budget::KeyBudget;
use super::editable_curve::EditableCurve;
use super::times::checked_end_secs;
use crate::error::{Error, ErrorKind, Result};
use crate::format::{KeyLayout, ReadOptions};
use crate::{
    Frame, FrameLimit, Hand, HandCurves, Joint, NotAfterLast, PoseId, Recording, RecordingBuilder, check_rate_hz,
    times_at_rate,
};

/// Resamples a recording at a constant rate from time 0 on, with linear keys.
///
/// Poses are those of a [`Sampler`](crate::Sampler): normalized rotations that take the short way. Flags and markers stay
/// unchanged. While a hand is not tracked, its joints have no keys. They get an extra key where tracking starts and where
/// it ends, so that poses next to a gap are not interpolated across it. The last frame is the last one within the
/// recording.
///
/// ```
/// use holotape::{Hand, Joint, edit};
///
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// let resampled = edit::resample(&recording, 30.0)?;
/// let camera = resampled.camera.as_ref().unwrap();
/// assert_eq!(camera.position[0].keys.len(), 61);
/// assert_eq!(camera.position[0].keys.iter().nth(15).unwrap().time, 0.5);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`] if the rate is invalid; [`ErrorKind::Invalid`] if a key has a non-finite time;
/// [`ErrorKind::LimitExceeded`] if the result would exceed the [`FrameLimit`] or
/// [`ReadOptions::DEFAULT_MAX_BYTES`], which is checked first.
pub fn resample(recording: &Recording, rate_hz: f64) -> Result<Recording> {
    let end = checked_end_secs(recording)?;
    check_size(recording, end, rate_hz)?;
    let mut sampler = recording.sampler().with_untracked_poses(true);
    let mut frame = Frame::default();
    let mut builder = RecordingBuilder::extending(without_keys(recording));
    for sample in sample_times(recording, end, rate_hz)? {
        sampler.frame_into(sample.time.into(), &mut frame);
        push(&mut builder, &frame, &sample)?;
    }
    Ok(builder.finish())
}

fn check_size(recording: &Recording, end: f32, rate_hz: f64) -> Result<()> {
    check_rate_hz(rate_hz)?;
    FrameLimit::for_recording(recording).check(end.into(), rate_hz)?;
    let curves = recording.curves().filter(|(id, curve)| !id.is_bool() && curve.key_count() > 0).count();
    let frames = f64::from(end) * rate_hz + 1.0;
    let frame_bytes = (curves as u64 * KeyLayout::Compact.key_bytes()) as f64;
    if frames * frame_bytes > ReadOptions::DEFAULT_MAX_BYTES as f64 {
        let message = format!(
            "{end} s at a rate of {rate_hz} Hz exceed the maximum file size; use a lower rate or a shorter span"
        );
        return Err(Error::new(ErrorKind::LimitExceeded, message));
    }
    Ok(())
}

/// A time with keys: of everything for a frame, of a hand where its tracking starts or ends.
#[derive(Clone, Copy, Debug)]
struct SampleTime {
    time: f32,
    is_frame: bool,
    changes: [bool; 2],
}

fn sample_times(recording: &Recording, end: f32, rate_hz: f64) -> Result<Vec<SampleTime>> {
    let frame = |time| SampleTime { time: time as f32, is_frame: true, changes: [false; 2] };
    let mut samples: Vec<_> = times_at_rate(0.0..=end.into(), rate_hz).map(frame).collect();
    for hand in Hand::ALL {
        let change = |time| SampleTime { time, is_frame: false, changes: Hand::ALL.map(|other| other == hand) };
        samples.extend(flag_change_times(recording, hand, end)?.into_iter().map(change));
    }
    samples.sort_by(|a, b| a.time.total_cmp(&b.time));
    samples.dedup_by(|next, sample| {
        let is_same = next.time == sample.time;
        if is_same {
            sample.is_frame |= next.is_frame;
            sample.changes = [0, 1].map(|hand| sample.changes[hand] || next.changes[hand]);
        }
        is_same
    });
    Ok(samples)
}

/// The times after 0 at which tracking of a hand starts or ends.
fn flag_change_times(recording: &Recording, hand: Hand, end: f32) -> Result<Vec<f32>> {
    let mut curve = EditableCurve::from_bool_curve(&recording.hand(hand).tracked);
    curve.clip(0.0, end, &mut KeyBudget::for_recordings(&[recording]))?;
    let flags = curve.into_bool_curve().keys;
    let changes = flags.windows(2).filter(|pair| (pair[0].value > 0.5) != (pair[1].value > 0.5));
    Ok(changes.map(|pair| pair[1].time).collect())
}

/// The recording with only flags and markers.
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

/// Adds the keys of one time. The times ascend, so the builder accepts every key.
fn push(builder: &mut RecordingBuilder, frame: &Frame, sample: &SampleTime) -> std::result::Result<(), NotAfterLast> {
    let time = sample.time.into();
    if sample.is_frame {
        if let Some(pose) = frame.camera {
            builder.push_pose(PoseId::Camera, time, pose)?;
        }
        if let Some(ray) = frame.gaze {
            builder.push_gaze(time, ray)?;
        }
    }
    for hand in Hand::ALL {
        let Some(values) = frame.hand(hand) else { continue };
        if sample.changes[hand as usize] || sample.is_frame && values.tracked {
            for (joint, pose) in Joint::ALL.into_iter().zip(values.joints) {
                if let Some(pose) = pose {
                    builder.push_pose(PoseId::Joint(hand, joint), time, pose)?;
                }
            }
        }
    }
    Ok(())
}
