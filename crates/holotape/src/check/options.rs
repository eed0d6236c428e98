//! Options of [`check`](super::check()).

/// How far the length of rotations and directions may be from 1: far more than rounding errors, far less than visible.
pub(super) const UNIT_TOLERANCE: f64 = 1e-3;

options! {
    /// The thresholds of [`check`](super::check()).
    ///
    /// ```
    /// use holotape::check::{CheckOptions, check};
    ///
    /// # let recording = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
    /// let strict = CheckOptions::new().with_max_bone_change(0.05).with_max_speed_m_per_sec(5.0);
    /// for finding in check(&recording, &strict) {
    ///     println!("{finding}");
    /// }
    /// # Ok::<(), holotape::Error>(())
    /// ```
    pub struct CheckOptions {
        /// How far the length of a rotation or direction may be from 1. By default 0.001.
        with_unit_tolerance(unit_tolerance: f64) = UNIT_TOLERANCE,
        /// The longest bone of a hand, from joint to joint, in metres. By default 0.2, twice that of any human hand.
        with_max_bone_m(max_bone_m: f64) = 0.2,
        /// How far the length of a bone may be from its median in the recording, as a fraction of the median. By default
        /// 0.5, because devices adjust the size of the hand during tracking.
        with_max_bone_change(max_bone_change: f64) = 0.5,
        /// The highest speed of a joint, the head or the gaze origin, in metres per second. By default 20, as fast as a
        /// pitcher's hand.
        with_max_speed_m_per_sec(max_speed_m_per_sec: f64) = 20.0,
        /// The smallest distance that counts as a jump, in metres. By default 0.1. Away and back within 0.1 s is a jump
        /// at any speed.
        with_min_jump_m(min_jump_m: f64) = 0.1,
        /// How far apart the ends of curves may be, in seconds. By default 0.1, a few frames.
        with_end_tolerance_secs(end_tolerance_secs: f64) = 0.1,
    }
}
