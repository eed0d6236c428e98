//! Selects body parts and joints of a recording.

use std::str::FromStr;

use crate::error::{Error, Result};
use crate::{Hand, HandCurves, Joint, PoseCurves, PoseId, Recording};

/// A set of body parts and joints.
///
/// Parsed from names, separated by commas: `camera`, `gaze`, `hands`, `left`, `right`, `IndexTip` (of both hands) and
/// `left.IndexTip`.
///
/// ```
/// use holotape::edit::Selection;
///
/// let selection: Selection = "camera,right.IndexTip".parse()?;
/// assert_eq!(selection, Selection::from_names(["camera", "right.IndexTip"])?);
/// assert_eq!(selection.inverted().inverted(), selection);
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
    /// Nothing.
    pub const NONE: Self = Self { camera: false, gaze: false, joints: [[false; Joint::COUNT]; 2] };

    /// All body parts and joints.
    pub const ALL: Self = Self { camera: true, gaze: true, joints: [[true; Joint::COUNT]; 2] };

    /// Parses a list of names.
    ///
    /// # Errors
    /// [`ErrorKind::InvalidArgument`](crate::ErrorKind::InvalidArgument) if a name is unknown.
    pub fn from_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Result<Self> {
        let mut selection = Self::NONE;
        names.into_iter().try_for_each(|name| selection.add(name))?;
        Ok(selection)
    }

    /// Selects everything else.
    #[must_use]
    pub fn inverted(self) -> Self {
        let Self { camera, gaze, joints } = self;
        Self { camera: !camera, gaze: !gaze, joints: joints.map(|hand| hand.map(|joint| !joint)) }
    }

    /// Whether the head or a joint is selected.
    ///
    /// ```
    /// use holotape::PoseId;
    /// use holotape::edit::Selection;
    ///
    /// assert!("hands".parse::<Selection>()?.has_pose("left.Wrist".parse()?));
    /// assert!(!Selection::NONE.has_pose(PoseId::Camera));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn has_pose(&self, pose: PoseId) -> bool {
        match pose {
            PoseId::Camera => self.camera,
            PoseId::Joint(hand, joint) => self.joints[hand as usize][joint.index()],
        }
    }

    /// Whether the gaze is selected.
    #[must_use]
    pub const fn has_gaze(&self) -> bool {
        self.gaze
    }

    /// Whether any joint of a hand is selected.
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
        "unknown body part or joint {name:?}; use camera, gaze, hands, left, right, a joint like IndexTip, or a joint of \
         one hand like left.IndexTip"
    );
    Error::invalid_argument(message)
}

/// Keeps only the selected body parts and joints. Channels without a selected part are removed, and joints that are not
/// selected have no keys.
///
/// A hand keeps its flags if any of its joints is selected. Markers are kept.
///
/// ```
/// use holotape::edit::{self, Selection};
///
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let without_left = edit::select(&recording, &Selection::from_names(["left"])?.inverted());
/// assert_eq!(without_left.camera, recording.camera);
/// let hands = without_left.hands.unwrap();
/// assert!(hands.left.tracked.keys.is_empty());
/// assert!(!hands.right.tracked.keys.is_empty());
/// # Ok::<(), holotape::Error>(())
/// ```
#[must_use]
pub fn select(recording: &Recording, selection: &Selection) -> Recording {
    let has_hands = Hand::ALL.into_iter().any(|hand| selection.has_hand(hand));
    let mut selected = Recording {
        format: recording.format,
        camera: recording.camera.clone().filter(|_| selection.has_pose(PoseId::Camera)),
        gaze: recording.gaze.clone().filter(|_| selection.has_gaze()),
        hands: recording.hands.clone().filter(|_| has_hands),
        markers: recording.markers.clone(),
    };
    for (_, pose) in selected.poses_mut().filter(|(id, _)| !selection.has_pose(*id)) {
        *pose = PoseCurves::new();
    }
    for hand in Hand::ALL {
        if selected.hands.is_some() && !selection.has_hand(hand) {
            *selected.hand_mut(hand) = HandCurves::new();
        }
    }
    selected
}
