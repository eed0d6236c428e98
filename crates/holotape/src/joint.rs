//! The 27 joint slots of a hand: names and parents. `skeleton` has their names and indices in other systems.

use std::str::FromStr;

use crate::hand::UnknownName;

named_enum! {
    /// One of the 27 joint slots of a hand, in the order of the file. Names are those of MRTK, as in curve names.
    ///
    /// ```
    /// use holotape::Joint;
    ///
    /// assert_eq!(Joint::ALL.len(), Joint::COUNT);
    /// assert_eq!(Joint::IndexTip.parent(), Some(Joint::IndexDistalJoint));
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[repr(u8)]
    pub enum Joint: name {
        /// Not a joint. Empty in recordings from a device; simulated hands have keys in it.
        None = "None",
        /// The wrist, where the hand meets the arm.
        Wrist = "Wrist",
        /// The middle of the palm.
        Palm = "Palm",
        /// Root of the thumb.
        ThumbMetacarpalJoint = "ThumbMetacarpalJoint",
        /// First joint of the thumb.
        ThumbProximalJoint = "ThumbProximalJoint",
        /// Last joint of the thumb.
        ThumbDistalJoint = "ThumbDistalJoint",
        /// Tip of the thumb.
        ThumbTip = "ThumbTip",
        /// Root of the index finger.
        IndexMetacarpal = "IndexMetacarpal",
        /// Knuckle of the index finger.
        IndexKnuckle = "IndexKnuckle",
        /// Middle joint of the index finger.
        IndexMiddleJoint = "IndexMiddleJoint",
        /// Last joint of the index finger.
        IndexDistalJoint = "IndexDistalJoint",
        /// Tip of the index finger.
        IndexTip = "IndexTip",
        /// Root of the middle finger.
        MiddleMetacarpal = "MiddleMetacarpal",
        /// Knuckle of the middle finger.
        MiddleKnuckle = "MiddleKnuckle",
        /// Middle joint of the middle finger.
        MiddleMiddleJoint = "MiddleMiddleJoint",
        /// Last joint of the middle finger.
        MiddleDistalJoint = "MiddleDistalJoint",
        /// Tip of the middle finger.
        MiddleTip = "MiddleTip",
        /// Root of the ring finger.
        RingMetacarpal = "RingMetacarpal",
        /// Knuckle of the ring finger.
        RingKnuckle = "RingKnuckle",
        /// Middle joint of the ring finger.
        RingMiddleJoint = "RingMiddleJoint",
        /// Last joint of the ring finger.
        RingDistalJoint = "RingDistalJoint",
        /// Tip of the ring finger.
        RingTip = "RingTip",
        /// Root of the little finger.
        PinkyMetacarpal = "PinkyMetacarpal",
        /// Knuckle of the little finger.
        PinkyKnuckle = "PinkyKnuckle",
        /// Middle joint of the little finger.
        PinkyMiddleJoint = "PinkyMiddleJoint",
        /// Last joint of the little finger.
        PinkyDistalJoint = "PinkyDistalJoint",
        /// Tip of the little finger.
        PinkyTip = "PinkyTip",
    }
}

impl Joint {
    /// The number of joint slots of a hand.
    pub const COUNT: usize = Self::ALL.len();

    /// The index in file order, 0 to 26. Unity's `XRHandJointID` uses the same. [`Skeleton`](crate::Skeleton) has those of
    /// other systems.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The parent joint; `None` for the wrist and for [`Joint::None`].
    ///
    /// ```
    /// use holotape::Joint;
    ///
    /// assert_eq!(Joint::Palm.parent(), Some(Joint::Wrist));
    /// assert_eq!(Joint::Wrist.parent(), None);
    /// ```
    #[must_use]
    pub const fn parent(self) -> Option<Self> {
        match self {
            Self::None | Self::Wrist => None,
            Self::Palm
            | Self::ThumbMetacarpalJoint
            | Self::IndexMetacarpal
            | Self::MiddleMetacarpal
            | Self::RingMetacarpal
            | Self::PinkyMetacarpal => Some(Self::Wrist),
            _ => Some(Self::ALL[self.index() - 1]),
        }
    }
}

impl FromStr for Joint {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|joint| joint.name() == name).ok_or_else(|| UnknownName::new("joint", name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back() {
        for joint in Joint::ALL {
            assert_eq!(joint.name().parse(), Ok(joint));
            assert_eq!(Joint::ALL[joint.index()], joint);
            assert_eq!(format!("{joint:?}"), joint.name());
        }
    }

    #[test]
    fn every_joint_but_the_roots_hangs_on_the_wrist() {
        for joint in Joint::ALL {
            let root = std::iter::successors(Some(joint), |j| j.parent()).last();
            let expected = if joint == Joint::None { Joint::None } else { Joint::Wrist };
            assert_eq!(root, Some(expected), "{joint}");
        }
    }
}
