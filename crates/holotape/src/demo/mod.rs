//! Synthetic recordings: plausible motion generated from a seed.

mod clock;
mod eyes;
mod hand;
mod hand_shape;
mod head;
mod motion;
mod noise;
mod routine;
mod script;
#[cfg(test)]
mod tests;

use self::eyes::Eyes;
use self::hand::Joints;
use self::head::Head;
use self::motion::Motion;
use self::noise::SplitMix64;
use self::script::Script;
use crate::error::{Error, ErrorKind, Result};
use crate::format::{Channels, ReadOptions};
use crate::{CurveId, Frame, Hand, HandFrame, Joint, Marker, Ray, Recording, RecordingBuilder};

options! {
    /// Options of a synthetic recording.
    ///
    /// A standing person uses both hands: reaches for things, pinches them, moves them, points, waves, and sometimes
    /// lowers a hand out of view, where it is not tracked. The head follows the hands; the gaze moves ahead. Markers name
    /// the actions.
    ///
    /// The same options always give the same recording. The motion at a time depends only on the seed: a longer recording
    /// starts like a shorter one, up to its last frame, and another rate samples the same motion.
    ///
    /// ```
    /// use holotape::Hand;
    /// use holotape::demo::DemoOptions;
    ///
    /// let recording = DemoOptions::new().with_seconds(5.0).generate()?;
    /// assert_eq!(recording.duration_secs(), 5.0);
    /// assert!(recording.hand(Hand::Right).tracked.value_at(0.0));
    /// for marker in &recording.markers {
    ///     println!("{:.1} s: {}", marker.time, marker.name);
    /// }
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub struct DemoOptions {
        /// The seed of all random values. By default 1.
        with_seed(seed: u64) = 1,
        /// The duration. By default 12 s; 0 gives one frame.
        with_seconds(seconds: f64) = 12.0,
        /// The frame rate, from 1 to 1000 Hz. By default 60 Hz.
        with_rate_hz(rate_hz: f64) = 60.0,
    }
}

impl DemoOptions {
    /// Generates the recording.
    ///
    /// ```
    /// use holotape::ErrorKind;
    /// use holotape::demo::DemoOptions;
    ///
    /// let error = DemoOptions::new().with_seconds(1e9).generate().unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::LimitExceeded);
    /// ```
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`] if the duration or the rate is invalid; [`ErrorKind::LimitExceeded`] if the file might
    /// be larger than [`ReadOptions::DEFAULT_MAX_BYTES`], which is checked before anything is generated.
    pub fn generate(self) -> Result<Recording> {
        self.check()?;
        let random = &mut SplitMix64::new(self.seed, 2);
        let motion = Motion::new(Script::new(self.seed, self.seconds), random);
        let mut head = Head::new(random);
        let mut eyes = Eyes::new(self.seed);
        let mut builder = RecordingBuilder::new();
        let (mut tracked, mut pinching) = ([false; 2], [false; 2]);
        for key_time in clock::frame_times(self.seed, self.seconds, self.rate_hz) {
            // Motion is evaluated at the rounded time of the key, so that speeds between keys are exact.
            let time = f64::from(key_time);
            let head = head.at(&motion, time);
            let joints = Hand::ALL.map(|hand| motion.joints_at(hand, time));
            let mut frame = Frame { time, camera: Some(head.to_pose()), ..Frame::default() };
            let direction = eyes.at(&motion, &head, &joints, time).as_vec3().to_array();
            frame.gaze = Some(Ray { origin: head.position.as_vec3().to_array(), direction });
            for hand in Hand::ALL {
                let (n, joints) = (hand as usize, &joints[hand as usize]);
                tracked[n] = head::is_visible(&head, joints[Joint::Palm.index()].position, tracked[n]);
                pinching[n] = tracked[n] && hand::is_pinching(joints, pinching[n]);
                *frame.hand_mut(hand) = Some(hand_frame(tracked[n], pinching[n], joints));
            }
            builder.push_frame(&frame)?;
        }
        let mut recording = builder.finish();
        recording.markers = self.markers(&motion.script).into();
        Ok(recording)
    }

    fn markers(self, script: &Script) -> Vec<Marker> {
        let within = script.cues().iter().take_while(|cue| cue.start <= self.seconds);
        within
            .map(|cue| Marker { time: cue.start as f32, name: format!("{} {}", cue.hand, cue.action.marker_name()) })
            .collect()
    }

    fn check(self) -> Result<()> {
        let Self { seconds, rate_hz, .. } = self;
        if !(seconds.is_finite() && seconds >= 0.0) {
            let message = format!("invalid duration: {seconds} s; must be finite and at least 0");
            return Err(Error::invalid_argument(message));
        }
        if !(1.0..=1000.0).contains(&rate_hz) {
            let message = format!("invalid rate: {rate_hz} Hz; must be from 1 to 1000");
            return Err(Error::invalid_argument(message));
        }
        let max_secs = max_duration_secs(rate_hz);
        if seconds > max_secs {
            let message = format!(
                "duration of {seconds} s at {rate_hz} Hz exceeds the file size limit; at most {max_secs} s fit"
            );
            return Err(Error::new(ErrorKind::LimitExceeded, message));
        }
        Ok(())
    }
}

/// A hand as a device reports it: without joints while it is not tracked.
fn hand_frame(tracked: bool, pinching: bool, joints: &Joints) -> HandFrame {
    let mut hand = HandFrame { tracked, pinching, ..HandFrame::default() };
    if tracked {
        hand.joints = joints.map(|joint| Some(joint.to_pose()));
        hand.joints[Joint::None.index()] = None;
    }
    hand
}

/// The number of whole seconds that fit into a file even if both hands are always tracked.
fn max_duration_secs(rate_hz: f64) -> f64 {
    const HEAD_BYTES: u64 = 64 * 1024;
    // Markers and flags: a few per second.
    const SECOND_BYTES: f64 = 256.0;
    let frame_bytes = 8.0 * CurveId::all(Channels::ALL).count() as f64;
    let room = (ReadOptions::DEFAULT_MAX_BYTES - HEAD_BYTES) as f64;
    (room / (frame_bytes * rate_hz + SECOND_BYTES)).floor()
}
