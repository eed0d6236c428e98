//! Named points in time.

use std::ops::{Deref, DerefMut};

/// A named point in time. Markers are equal if their times have the same bits.
///
/// ```
/// let marker = holotape::Marker { time: 2.5, name: "grabbed the cup".to_owned() };
/// assert_eq!(marker, marker.clone());
/// ```
#[derive(Clone, Debug)]
#[cfg_attr(feature = "json", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields))]
pub struct Marker {
    /// Seconds from the start of the recording.
    #[cfg_attr(feature = "json", serde(with = "crate::json::exact"))]
    pub time: f32,
    /// The name.
    pub name: String,
}

impl PartialEq for Marker {
    fn eq(&self, other: &Self) -> bool {
        self.time.to_bits() == other.time.to_bits() && self.name == other.name
    }
}

impl Eq for Marker {}

/// The markers of a recording, in order of time. Several may share one time.
///
/// ```
/// use holotape::Markers;
///
/// let mut markers = Markers::new();
/// markers.add(2.5, "grabbed the cup");
/// markers.add(1.0, "sat down");
/// assert_eq!(markers[0].name, "sat down");
/// assert_eq!(markers.remove(0).unwrap().time, 1.0);
/// assert_eq!(markers.len(), 1);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Markers(Vec<Marker>);

impl Markers {
    /// Creates an empty list.
    #[must_use]
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Adds a marker after those of the same or an earlier time.
    pub fn add(&mut self, time: f32, name: impl Into<String>) {
        self.insert(Marker { time, name: name.into() });
    }

    /// Removes a marker; `None` if the index is out of range.
    pub fn remove(&mut self, index: usize) -> Option<Marker> {
        (index < self.0.len()).then(|| self.0.remove(index))
    }

    /// Moves a marker to another time, after those of the same or an earlier one. Returns its new index, or `None` if
    /// `index` is out of range.
    ///
    /// ```
    /// let mut markers = holotape::Markers::new();
    /// markers.add(1.0, "sat down");
    /// markers.add(2.5, "grabbed the cup");
    /// assert_eq!(markers.move_to(0, 3.0), Some(1));
    /// assert_eq!(markers[1].name, "sat down");
    /// ```
    pub fn move_to(&mut self, index: usize, time: f32) -> Option<usize> {
        let Marker { name, .. } = self.remove(index)?;
        Some(self.insert(Marker { time, name }))
    }

    /// The index of the first marker with this name.
    ///
    /// ```
    /// # let mut markers = holotape::Markers::new();
    /// markers.add(2.5, "grabbed the cup");
    /// assert_eq!(markers.find("grabbed the cup"), Some(0));
    /// assert_eq!(markers.find("let it go"), None);
    /// ```
    #[must_use]
    pub fn find(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|marker| marker.name == name)
    }

    /// The index of the last marker at or before a time; `None` before the first marker.
    ///
    /// ```
    /// # let mut markers = holotape::Markers::new();
    /// markers.add(1.0, "sat down");
    /// markers.add(2.5, "grabbed the cup");
    /// assert_eq!([0.5, 1.0, 2.0, 99.0].map(|time| markers.interval_at(time)), [None, Some(0), Some(0), Some(1)]);
    /// ```
    #[must_use]
    pub fn interval_at(&self, time_secs: f64) -> Option<usize> {
        // A linear search: the order is not guaranteed.
        let until = self.0.iter().enumerate().filter(|(_, marker)| f64::from(marker.time) <= time_secs);
        until.max_by(|(_, a), (_, b)| a.time.total_cmp(&b.time)).map(|(index, _)| index)
    }

    fn insert(&mut self, marker: Marker) -> usize {
        let at = self.0.partition_point(|other| other.time <= marker.time);
        self.0.insert(at, marker);
        at
    }
}

impl Deref for Markers {
    type Target = [Marker];

    fn deref(&self) -> &[Marker] {
        &self.0
    }
}

impl DerefMut for Markers {
    /// To rename markers. Changing a time does not change the order: use [`move_to`](Self::move_to).
    fn deref_mut(&mut self) -> &mut [Marker] {
        &mut self.0
    }
}

impl From<Vec<Marker>> for Markers {
    /// Keeps the order as it is, sorted or not.
    fn from(markers: Vec<Marker>) -> Self {
        Self(markers)
    }
}

impl FromIterator<Marker> for Markers {
    /// Keeps the order as it is, sorted or not.
    fn from_iter<I: IntoIterator<Item = Marker>>(markers: I) -> Self {
        Self(markers.into_iter().collect())
    }
}

impl<'a> IntoIterator for &'a Markers {
    type Item = &'a Marker;
    type IntoIter = std::slice::Iter<'a, Marker>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}
