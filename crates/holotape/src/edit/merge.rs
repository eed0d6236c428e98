//! Combines body parts of several recordings.

use super::format::choose_format;
use super::times::sorted_markers;
use crate::{Hand, Recording};

/// Which body part comes from which recording, for [`merge`].
///
/// ```
/// use holotape::edit::{self, MergeOptions};
///
/// # let demo = |seed| holotape::demo::DemoOptions::new().with_seconds(1.0).with_seed(seed).generate();
/// let (head, hands) = (demo(1)?, demo(2)?);
/// let merged = edit::merge(&MergeOptions::new().with_camera(&head).with_hands(&hands));
/// assert_eq!((merged.camera, merged.hands, merged.gaze), (head.camera, hands.hands, None));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct MergeOptions<'a> {
    camera: Option<&'a Recording>,
    left: Option<&'a Recording>,
    right: Option<&'a Recording>,
    gaze: Option<&'a Recording>,
    markers: Option<Vec<&'a Recording>>,
}

impl<'a> MergeOptions<'a> {
    /// No body parts.
    #[must_use]
    pub const fn new() -> Self {
        Self { camera: None, left: None, right: None, gaze: None, markers: None }
    }

    /// Uses the head of this recording.
    #[must_use]
    pub fn with_camera(self, recording: &'a Recording) -> Self {
        Self { camera: Some(recording), ..self }
    }

    /// Uses both hands of this recording.
    #[must_use]
    pub fn with_hands(self, recording: &'a Recording) -> Self {
        Self { left: Some(recording), right: Some(recording), ..self }
    }

    /// Uses one hand of this recording.
    #[must_use]
    pub fn with_hand(self, hand: Hand, recording: &'a Recording) -> Self {
        match hand {
            Hand::Left => Self { left: Some(recording), ..self },
            Hand::Right => Self { right: Some(recording), ..self },
        }
    }

    /// Uses the gaze of this recording.
    #[must_use]
    pub fn with_gaze(self, recording: &'a Recording) -> Self {
        Self { gaze: Some(recording), ..self }
    }

    /// Uses only the markers of these recordings. By default, those of all sources are used.
    #[must_use]
    pub fn with_markers(self, recordings: &[&'a Recording]) -> Self {
        Self { markers: Some(recordings.to_vec()), ..self }
    }

    /// The source recordings, without duplicates.
    fn sources(&self) -> Vec<&'a Recording> {
        let mut sources: Vec<&Recording> = Vec::new();
        for recording in [self.camera, self.left, self.right, self.gaze].into_iter().flatten() {
            if !sources.iter().any(|source| std::ptr::eq(*source, recording)) {
                sources.push(recording);
            }
        }
        sources
    }
}

/// Combines body parts of several recordings: the head of one, the hands of another, the gaze of a third. Times do not
/// change.
///
/// A body part that its source lacks is missing in the result. Markers of several sources are sorted by time. The format
/// is the first one among the sources that represents everything.
///
/// ```
/// use holotape::Hand;
/// use holotape::edit::{self, MergeOptions};
///
/// # let demo = |seed| holotape::demo::DemoOptions::new().with_seconds(1.0).with_seed(seed).generate();
/// let (first, second) = (demo(1)?, demo(2)?);
/// let options = MergeOptions::new().with_camera(&first).with_hands(&first).with_hand(Hand::Left, &second);
/// let merged = edit::merge(&options.with_markers(&[&second]));
/// assert_eq!(merged.hand(Hand::Left), second.hand(Hand::Left));
/// assert_eq!(merged.hand(Hand::Right), first.hand(Hand::Right));
/// assert_eq!(merged.markers, second.markers);
/// # Ok::<(), holotape::Error>(())
/// ```
#[must_use]
pub fn merge(options: &MergeOptions<'_>) -> Recording {
    let sources = options.sources();
    let markers =
        options.markers.as_ref().unwrap_or(&sources).iter().flat_map(|recording| recording.markers.iter().cloned());
    let mut recording = Recording {
        camera: options.camera.and_then(|from| from.camera.clone()),
        gaze: options.gaze.and_then(|from| from.gaze.clone()),
        markers: sorted_markers(markers.collect()),
        ..Recording::default()
    };
    for (hand, from) in [(Hand::Left, options.left), (Hand::Right, options.right)] {
        if let Some(from) = from.filter(|from| from.hands.is_some()) {
            *recording.hand_mut(hand) = from.hand(hand).clone();
        }
    }
    choose_format(&mut recording, &sources);
    recording
}
