//! Some parts of a recording.

use std::str::FromStr;

use crate::error::{Error, ErrorKind, Result};
use crate::{Hand, HandCurves, Joint, PoseCurves, PoseId, Recording};

/// A choice among the parts of a recording: the head, the eyes, the joints of each hand.
///
/// Parsed from the names of parts: `camera`, `gaze`, `hands`, `left`, `right`, `IndexTip` (of both hands) and
/// `left.IndexTip`, one or several with commas between.
///
/// ```
/// use holotape::edit::Selection;
///
/// let some: Selection = "camera,right.IndexTip".parse()?;
/// assert_eq!(some, Selection::of(["camera", "right.IndexTip"])?);
/// assert_eq!(some.inverted().inverted(), some);
/// assert!("camera,IndexTop".parse::<Selection>().is_err());
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    camera: bool,
    gaze: bool,
    /// Of each hand, in the order of [`Hand::ALL`] and [`Joint::ALL`].
    joints: [[bool; Joint::COUNT]; 2],
}

impl Selection {
    /// No part.
    pub const NONE: Self = Self { camera: false, gaze: false, joints: [[false; Joint::COUNT]; 2] };

    /// Every part.
    pub const ALL: Self = Self { camera: true, gaze: true, joints: [[true; Joint::COUNT]; 2] };

    /// The parts with these names.
    ///
    /// # Errors
    /// [`ErrorKind::Invalid`] if a name is that of no part.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut selection = Self::NONE;
        names.into_iter().try_for_each(|name| selection.add(name))?;
        Ok(selection)
    }

    /// All the other parts.
    #[must_use]
    pub fn inverted(self) -> Self {
        let Self { camera, gaze, joints } = self;
        Self { camera: !camera, gaze: !gaze, joints: joints.map(|hand| hand.map(|joint| !joint)) }
    }

    /// Whether the head, or a joint, is among the parts.
    ///
    /// ```
    /// use holotape::PoseId;
    /// use holotape::edit::Selection;
    ///
    /// assert!("hands".parse::<Selection>()?.has_pose("left.Wrist".parse()?));
    /// assert!(!Selection::NOTHING.has_pose(PoseId::Camera));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn has_pose(&self, pose: PoseId) -> bool {
        match pose {
            PoseId::Camera => self.camera,
            PoseId::Joint(hand, joint) => self.joints[hand as usize][joint.index()],
        }
    }

    /// Whether the eyes are among the parts.
    #[must_use]
    pub const fn has_gaze(&self) -> bool {
        self.gaze
    }

    /// Whether any joint of a hand is among the parts.
    #[must_use]
    pub fn has_hand(&self, hand: Hand) -> bool {
        self.joints[hand as usize].contains(&true)
    }

    fn add(&mut self, name: &str) -> Result<()> {
        match name {
            "camera" => self.camera = true,
            "gaze" => self.gaze = true,
            "hands" => self.joints = Self::ALL.joints,
            _ => {
                if let Ok(hand) = name.parse::<Hand>() {
                    self.joints[hand as usize] = [true; Joint::COUNT];
                } else if let Ok(joint) = name.parse::<Joint>() {
                    self.joints.iter_mut().for_each(|hand| hand[joint.index()] = true);
                } else if let Ok(PoseId::Joint(hand, joint)) = name.parse() {
                    self.joints[hand as usize][joint.index()] = true;
                } else {
                    return Err(unknown(name));
                }
            }
        }
        Ok(())
    }
}

impl FromStr for Selection {
    type Err = Error;

    fn from_str(names: &str) -> Result<Self> {
        Self::from_names(names.split(',').map(str::trim))
    }
}

fn unknown(name: &str) -> Error {
    let message = format!(
        "there is no part {name:?}; parts are camera, gaze, hands, left, right, a joint like IndexTip, and a joint of \
         one hand like left.IndexTip"
    );
    Error::new(ErrorKind::Invalid, message)
}

/// The selected parts of a recording. Channels of which nothing is selected are not there any more, and joints that are
/// not selected have no keys.
///
/// A hand of which any joint is selected keeps what is known of it as a whole: when it was tracked, and when it
/// pinched. Markers are kept.
///
/// ```
/// use holotape::edit::{self, Selection};
///
/// # let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let without_left = edit::select(&take, &Selection::of(["left"])?.inverted());
/// assert_eq!(without_left.camera, take.camera);
/// let hands = without_left.hands.unwrap();
/// assert!(hands.left.tracked.keys.is_empty());
/// assert!(!hands.right.tracked.keys.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[must_use]
pub fn select(recording: &Recording, selection: &Selection) -> Recording {
    let has_hands = Hand::ALL.into_iter().any(|hand| selection.has_hand(hand));
    let mut part = Recording {
        format: recording.format,
        camera: recording.camera.clone().filter(|_| selection.has_pose(PoseId::Camera)),
        gaze: recording.gaze.clone().filter(|_| selection.has_gaze()),
        hands: recording.hands.clone().filter(|_| has_hands),
        markers: recording.markers.clone(),
    };
    for (_, pose) in part.poses_mut().filter(|(id, _)| !selection.has_pose(*id)) {
        *pose = PoseCurves::new();
    }
    for hand in Hand::ALL {
        if part.hands.is_some() && !selection.has_hand(hand) {
            *part.hand_mut(hand) = HandCurves::new();
        }
    }
    part
}
