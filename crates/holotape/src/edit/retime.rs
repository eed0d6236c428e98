//! A recording earlier or later, slower or faster.

use super::times::{move_times, moved_marker};
use crate::error::{Error, ErrorKind, Result};
use crate::pose::to_f32;
use crate::{CurveMut, Keys, Recording};

/// When and how fast a recording runs, for [`retime`].
///
/// ```
/// use holotape::edit::RetimeOptions;
///
/// let options = RetimeOptions::new().with_speed(0.5).with_shift_secs(1.0);
/// assert_ne!(options, RetimeOptions::new());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RetimeOptions {
    shift_secs: f64,
    speed: f64,
}

impl RetimeOptions {
    /// The defaults: as it is.
    #[must_use]
    pub const fn new() -> Self {
        Self { shift_secs: 0.0, speed: 1.0 }
    }

    /// How much later everything is; earlier if negative.
    #[must_use]
    pub const fn with_shift_secs(self, shift_secs: f64) -> Self {
        Self { shift_secs, ..self }
    }

    /// How much faster everything is: at 2, what took a second takes half of one.
    #[must_use]
    pub const fn with_speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    fn check(self) -> Result<()> {
        let Self { shift_secs, speed } = self;
        let is_speed = speed.is_normal() && speed > 0.0;
        if !is_speed {
            return Err(Error::new(ErrorKind::Invalid, format!("a recording cannot run at {speed} times its speed")));
        }
        if !shift_secs.is_finite() {
            return Err(Error::new(ErrorKind::Invalid, format!("a recording cannot be {shift_secs} seconds later")));
        }
        Ok(())
    }
}

impl Default for RetimeOptions {
    fn default() -> Self {
        Self::new()
    }
}

/// The recording at another speed, and then later or earlier: what was at a time is at that time divided by the speed,
/// plus the shift. Markers come along.
///
/// A negative shift brings keys before time 0, which a file may have; [`trim`](super::trim) takes them off.
///
/// Times in a file have 32 bits, which tell a quarter of a millisecond apart after an hour and less before: keys that
/// are moved far are off by as much. A curve that repeats outside its keys still does, and adds that up with every
/// turn.
///
/// ```
/// use holotape::edit::{self, RetimeOptions};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(6.0).generate()?;
/// let slow = edit::retime(&take, &RetimeOptions::new().with_speed(0.5).with_shift_secs(1.0))?;
/// assert_eq!(slow.duration_secs(), 13.0);
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// [`ErrorKind::Invalid`] if there is no such speed or shift; [`ErrorKind::LimitExceeded`] if times in a file are too
/// coarse to tell the keys apart there.
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

/// A tangent is a change in a second. One that is finite stays so: infinite ones are steps.
fn scale_tangents(keys: &mut Keys, speed: f64) {
    let Keys::Bezier(keys) = keys else { return };
    for key in keys {
        [key.in_tangent, key.out_tangent] =
            to_f32([key.in_tangent, key.out_tangent].map(|tangent| f64::from(tangent) * speed));
    }
}
