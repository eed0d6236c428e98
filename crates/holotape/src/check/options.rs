//! From where on something counts as a fault.

/// From where on [`check`](super::check()) takes something for a fault.
///
/// ```
/// use holotape::check::{CheckOptions, check};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(2.0).generate()?;
/// let strict = CheckOptions::new().with_max_bone_change(0.05).with_max_speed_m_per_sec(5.0);
/// for finding in check(&take, &strict) {
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

/// What rotations and directions may differ from length 1 by: far more than rounding, far less than anybody sees.
pub(super) const UNIT_TOLERANCE: f64 = 1e-3;

impl CheckOptions {
    /// The defaults, given with each option.
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

    /// The longest bone a hand may have, from joint to joint, in metres. By default 0.2: no bone of a hand has half
    /// of that.
    #[must_use]
    pub const fn with_max_bone_m(self, max_bone_m: f64) -> Self {
        Self { max_bone_m, ..self }
    }

    /// How far the length of a bone may be from its median in the recording, as a share of that. By default 0.5:
    /// devices fit the size of the hand as they go.
    #[must_use]
    pub const fn with_max_bone_change(self, max_bone_change: f64) -> Self {
        Self { max_bone_change, ..self }
    }

    /// The fastest that anything may move, in metres a second. By default 20: a pitcher's hand.
    #[must_use]
    pub const fn with_max_speed_m_per_sec(self, max_speed_m_per_sec: f64) -> Self {
        Self { max_speed_m_per_sec, ..self }
    }

    /// The shortest way that counts as a jump, in metres. By default 0.1. Away and back within a tenth of a second is
    /// one at any speed.
    #[must_use]
    pub const fn with_min_jump_m(self, min_jump_m: f64) -> Self {
        Self { min_jump_m, ..self }
    }

    /// How far ends may be apart that belong together, in seconds. By default 0.1, a few frames.
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
