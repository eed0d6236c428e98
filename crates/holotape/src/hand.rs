//! The two hands.

use std::fmt;
use std::str::FromStr;

named_enum! {
    /// One of the two hands, in the order of the file. Names are those in curve names.
    ///
    /// ```
    /// use holotape::Hand;
    ///
    /// assert_eq!("left".parse(), Ok(Hand::Left));
    /// assert_eq!(Hand::Left.other(), Hand::Right);
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Hand: name {
        /// The left hand.
        Left = "left",
        /// The right hand.
        Right = "right",
    }
}

impl Hand {
    /// The hand on the other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

impl FromStr for Hand {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        Self::ALL.into_iter().find(|hand| hand.name() == name).ok_or_else(|| UnknownName::new("hand", name))
    }
}

/// The error for an unknown name of a hand, joint or curve.
///
/// ```
/// let error = "IndexTop".parse::<holotape::Joint>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown joint \"IndexTop\"");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    thing: &'static str,
    name: String,
}

impl UnknownName {
    pub(crate) fn new(thing: &'static str, name: &str) -> Self {
        Self { thing, name: name.to_owned() }
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown {} {:?}", self.thing, self.name)
    }
}

impl std::error::Error for UnknownName {}
