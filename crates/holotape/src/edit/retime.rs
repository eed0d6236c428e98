//! Shifts a recording in time and changes its speed.

use super::times::{move_times, moved_marker};
use crate::error::{Error, Result};
use crate::pose::to_f32;
use crate::{CurveMut, Keys, Recording};

options! {
    /// Options of [`retime`].
    ///
    /// ```
    /// use holotape::edit::RetimeOptions;
    ///
    /// let options = RetimeOptions::new().with_speed(0.5).with_shift_secs(1.0);
    /// assert_ne!(options, RetimeOptions::new());
    /// ```
    pub struct RetimeOptions {
        /// Shifts all times by this much; negative values shift to earlier times. By default 0.
        with_shift_secs(shift_secs: f64) = 0.0,
        /// The speed factor: at 2, the recording takes half the time. By default 1.
        with_speed(speed: f64) = 1.0,
    }
}

impl RetimeOptions {
    fn check(self) -> Result<()> {
        let Self { shift_secs, speed } = self;
        if !(speed.is_normal() && speed > 0.0) {
            return Err(Error::invalid_argument(format!("invalid speed: {speed}; must be finite and greater than 0")));
        }
        if !shift_secs.is_finite() {
            return Err(Error::invalid_argument(format!("invalid shift: {shift_secs} s; must be finite")));
        }
        Ok(())
    }
}

/// Changes the speed of a recording and shifts it: each time is divided by the speed, then the shift is added. Markers
/// are included.
///
/// A negative shift moves keys before time 0, which files allow; [`trim`](super::trim) drops them.
///
/// Key times have 32 bits, with a resolution of 0.25 ms after an hour: keys that are moved far are rounded to that. A
/// curve that repeats outside its keys still does, and accumulates the rounding error with each repetition.
///
/// ```
/// use holotape::edit::{self, RetimeOptions};
///
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(6.0).generate()?;
/// let slow = edit::retime(&recording, &RetimeOptions::new().with_speed(0.5).with_shift_secs(1.0))?;
/// assert_eq!(slow.duration_secs(), 13.0);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) if the speed or the shift is invalid;
/// [`LimitExceeded`](crate::ErrorKind::LimitExceeded) if 32-bit key times cannot distinguish the moved keys.
pub fn retime(recording: &Recording, options: &RetimeOptions) -> Result<Recording> {
    options.check()?;
    let RetimeOptions { shift_secs, speed } = *options;
    let moved = |time: f64| time / speed + shift_secs;
    let mut recording = recording.clone();
    for curve in recording.curves_mut() {
        match curve {
            CurveMut::Float(curve) => {
                move_times(curve.keys.iter_mut().map(|(time, _)| time), moved)?;
                scale_tangents(&mut curve.keys, speed);
            }
            CurveMut::Bool(curve) => move_times(curve.keys.iter_mut().map(|key| &mut key.time), moved)?,
        }
    }
    for marker in recording.markers.iter_mut() {
        *marker = moved_marker(marker, moved)?;
    }
    Ok(recording)
}

/// Tangents are per second. Finite ones stay finite, because infinite tangents are steps.
fn scale_tangents(keys: &mut Keys, speed: f64) {
    let Keys::Bezier(keys) = keys else { return };
    for key in keys {
        [key.in_tangent, key.out_tangent] =
            to_f32([key.in_tangent, key.out_tangent].map(|tangent| f64::from(tangent) * speed));
    }
}
