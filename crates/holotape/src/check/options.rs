//! Options of [`check`](super::check()).

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
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CheckOptions {
    pub(super) unit_tolerance: f64,
    pub(super) max_bone_m: f64,
    pub(super) max_bone_change: f64,
    pub(super) max_speed_m_per_sec: f64,
    pub(super) min_jump_m: f64,
    pub(super) end_tolerance_secs: f64,
}

/// How far the length of rotations and directions may be from 1: far more than rounding errors, far less than visible.
pub(super) const UNIT_TOLERANCE: f64 = 1e-3;

impl CheckOptions {
    /// The defaults, as documented with each option.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            unit_tolerance: UNIT_TOLERANCE,
            max_bone_m: 0.2,
            max_bone_change: 0.5,
            max_speed_m_per_sec: 20.0,
            min_jump_m: 0.1,
            end_tolerance_secs: 0.1,
        }
    }

    /// How far the length of a rotation or direction may be from 1. By default 0.001.
    #[must_use]
    pub const fn with_unit_tolerance(self, unit_tolerance: f64) -> Self {
        Self { unit_tolerance, ..self }
    }

    /// The longest bone of a hand, from joint to joint, in metres. By default 0.2, twice that of any human hand.
    #[must_use]
    pub const fn with_max_bone_m(self, max_bone_m: f64) -> Self {
        Self { max_bone_m, ..self }
    }

    /// How far the length of a bone may be from its median in the recording, as a fraction of the median. By default
    /// 0.5, because devices adjust the size of the hand during tracking.
    #[must_use]
    pub const fn with_max_bone_change(self, max_bone_change: f64) -> Self {
        Self { max_bone_change, ..self }
    }

    /// The highest speed of a joint, the head or the gaze origin, in metres per second. By default 20, as fast as a
    /// pitcher's hand.
    #[must_use]
    pub const fn with_max_speed_m_per_sec(self, max_speed_m_per_sec: f64) -> Self {
        Self { max_speed_m_per_sec, ..self }
    }

    /// The smallest distance that counts as a jump, in metres. By default 0.1. Away and back within 0.1 s is a jump at
    /// any speed.
    #[must_use]
    pub const fn with_min_jump_m(self, min_jump_m: f64) -> Self {
        Self { min_jump_m, ..self }
    }

    /// How far apart the ends of curves may be, in seconds. By default 0.1, a few frames.
    #[must_use]
    pub const fn with_end_tolerance_secs(self, end_tolerance_secs: f64) -> Self {
        Self { end_tolerance_secs, ..self }
    }
}

impl Default for CheckOptions {
    fn default() -> Self {
        Self::new()
    }
}
