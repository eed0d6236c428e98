//! Comparison of contents: format, channels, duration, keys, flags, markers.

use std::fmt;

use super::motion::{REAL_JOINTS, has_pose, has_ray};
use crate::{BoolCurve, Hand, Recording, Summary};

/// Times within this tolerance are equal: edits round times to 32 bits.
const TIME_TOLERANCE_SECS: f64 = 0.001;

named_enum! {
    /// The aspect in which two recordings differ. Names are those in JSON.
    ///
    /// ```
    /// use holotape::diff::Aspect;
    ///
    /// assert!(Aspect::Flag.affects_motion());
    /// assert!(!Aspect::Version.affects_motion());
    /// assert_eq!(Aspect::KeyCount.name(), "key-count");
    /// ```
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[cfg_attr(feature = "json", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
    #[non_exhaustive]
    pub enum Aspect: name {
        /// The version of the file format.
        Version = "version",
        /// The key layout.
        KeyLayout = "key-layout",
        /// Whether the file has a marker list.
        MarkerList = "marker-list",
        /// The number of keys.
        KeyCount = "key-count",
        /// The channels that are present.
        Channels = "channels",
        /// The duration.
        Duration = "duration",
        /// The poses that are present.
        Poses = "poses",
        /// The tracked or pinching spans of a hand.
        Flag = "flag",
        /// The markers.
        Markers = "markers",
    }
}

impl Aspect {
    /// Returns whether the aspect is about motion, not about how it is stored.
    #[must_use]
    pub const fn affects_motion(self) -> bool {
        !matches!(self, Self::Version | Self::KeyLayout | Self::MarkerList | Self::KeyCount)
    }
}

/// A difference in the contents of two recordings.
///
/// ```
/// # use holotape::{Recording, diff::Diff};
/// # let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let diff = Diff::between(&recording, &Recording { gaze: None, ..recording.clone() });
/// assert_eq!(diff.differences[0].to_string(), "channels: camera, hands, gaze in the first, camera, hands in the second");
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "json", derive(serde::Serialize))]
#[non_exhaustive]
pub struct Difference {
    /// The aspect.
    pub aspect: Aspect,
    /// A description.
    pub message: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.aspect, self.message)
    }
}

pub(super) fn compare(a: &Recording, b: &Recording, end_secs: f64) -> Vec<Difference> {
    let mut differences = Vec::new();
    let mut compare = |aspect, [a, b]: [String; 2]| {
        if a != b {
            let message = format!("{a} in the first, {b} in the second");
            differences.push(Difference { aspect, message });
        }
    };
    let both = [a, b];
    compare(Aspect::Version, both.map(|recording| recording.format.layout.version().to_string()));
    compare(Aspect::KeyLayout, both.map(|recording| recording.format.layout.keys().to_string()));
    let marker_list =
        |recording: &Recording| if recording.format.marker_list { "present" } else { "absent" }.to_owned();
    compare(Aspect::MarkerList, both.map(marker_list));
    compare(Aspect::Channels, both.map(channels));
    let durations = both.map(|recording| f64::from(recording.duration_secs()));
    if (durations[0] - durations[1]).abs() > TIME_TOLERANCE_SECS {
        compare(Aspect::Duration, durations.map(|secs| format!("{secs:.3} s")));
    }
    compare(Aspect::KeyCount, both.map(|recording| Summary::from_recording(recording).key_count().to_string()));
    if a.camera.is_some() && b.camera.is_some() {
        compare(
            Aspect::Poses,
            both.map(|recording| presence("camera", recording.camera.as_ref().is_some_and(has_pose))),
        );
    }
    if a.hands.is_some() && b.hands.is_some() {
        for hand in Hand::ALL {
            compare(Aspect::Poses, both.map(|recording| poses(recording, hand)));
        }
    }
    if a.gaze.is_some() && b.gaze.is_some() {
        compare(Aspect::Poses, both.map(|recording| presence("gaze", recording.gaze.as_ref().is_some_and(has_ray))));
    }
    for hand in Hand::ALL {
        let flags = [
            ("tracked", both.map(|recording| &recording.hand(hand).tracked)),
            ("pinching", both.map(|recording| &recording.hand(hand).pinching)),
        ];
        for (name, curves) in flags {
            add_flag(&mut differences, &format!("{hand}.{name}"), curves, end_secs);
        }
    }
    add_markers(&mut differences, a, b);
    differences
}

fn channels(recording: &Recording) -> String {
    let channels = recording.channels();
    let named = [("camera", channels.camera), ("hands", channels.hands), ("gaze", channels.gaze)];
    let names: Vec<_> = named.into_iter().filter_map(|(name, is_present)| is_present.then_some(name)).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

fn presence(name: &str, is_present: bool) -> String {
    if is_present { name.to_owned() } else { format!("no {name}") }
}

/// Describes which joints of a hand have poses; equal joints give equal texts.
fn poses(recording: &Recording, hand: Hand) -> String {
    let absent: Vec<_> = REAL_JOINTS
        .iter()
        .filter(|joint| !has_pose(recording.hand(hand).joint(**joint)))
        .map(|joint| joint.name())
        .collect();
    match absent.len() {
        0 => format!("all joints of the {hand} hand"),
        count if count == REAL_JOINTS.len() => format!("no joints of the {hand} hand"),
        _ => format!("the {hand} hand without {}", absent.join(", ")),
    }
}

fn add_flag(differences: &mut Vec<Difference>, name: &str, [a, b]: [&BoolCurve; 2], end_secs: f64) {
    let mut times: Vec<_> = a.keys.iter().chain(&b.keys).map(|key| f64::from(key.time)).collect();
    times.retain(|time| (0.0..end_secs).contains(time));
    times.extend([0.0, end_secs]);
    times.sort_unstable_by(f64::total_cmp);
    let [a, b] = [a.evaluator(), b.evaluator()];
    let spans = times.windows(2).map(|pair| pair[0]..pair[1]);
    let differing: Vec<_> = spans
        .filter(|span| span.end - span.start > TIME_TOLERANCE_SECS)
        .filter(|span| {
            let middle = f64::midpoint(span.start, span.end);
            a.value_at(middle) != b.value_at(middle)
        })
        .collect();
    if let Some(first) = differing.first() {
        let secs: f64 = differing.iter().map(|span| span.end - span.start).sum();
        let message = format!("{name} differs for {secs:.3} s, first at {:.3} s", first.start);
        differences.push(Difference { aspect: Aspect::Flag, message });
    }
}

fn add_markers(differences: &mut Vec<Difference>, a: &Recording, b: &Recording) {
    let mut add = |message| differences.push(Difference { aspect: Aspect::Markers, message });
    if a.markers.len() != b.markers.len() {
        add(format!("{} in the first, {} in the second", a.markers.len(), b.markers.len()));
    }
    let are_equal = |(a, b): (&crate::Marker, &crate::Marker)| {
        a.name == b.name && f64::from(a.time - b.time).abs() <= TIME_TOLERANCE_SECS || a == b
    };
    if let Some(index) = a.markers.iter().zip(b.markers.iter()).position(|pair| !are_equal(pair)) {
        let [a, b] = [&a.markers[index], &b.markers[index]];
        add(format!("marker {index} is {:?} at {:.3} s, and {:?} at {:.3} s", a.name, a.time, b.name, b.time));
    }
}
