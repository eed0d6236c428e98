//! One recording made of parts of several.

use super::format::choose_format;
use super::times::sorted_markers;
use crate::{Hand, Recording};

/// Which part comes from which recording, for [`merge`].
///
/// ```
/// use holotape::edit::{self, MergeOptions};
///
/// # let demo = |seed| holotape::demo::DemoOptions::new().with_seconds(1.0).with_seed(seed).generate();
/// let (head, hands) = (demo(1)?, demo(2)?);
/// let take = edit::merge(&MergeOptions::new().with_camera(&head).with_hands(&hands));
/// assert_eq!((take.camera, take.hands, take.gaze), (head.camera, hands.hands, None));
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
    /// Nothing from anywhere, yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { camera: None, left: None, right: None, gaze: None, markers: None }
    }

    /// The head of this recording.
    #[must_use]
    pub fn with_camera(self, recording: &'a Recording) -> Self {
        Self { camera: Some(recording), ..self }
    }

    /// Both hands of this recording.
    #[must_use]
    pub fn with_hands(self, recording: &'a Recording) -> Self {
        Self { left: Some(recording), right: Some(recording), ..self }
    }

    /// One hand of this recording.
    #[must_use]
    pub fn with_hand(self, hand: Hand, recording: &'a Recording) -> Self {
        match hand {
            Hand::Left => Self { left: Some(recording), ..self },
            Hand::Right => Self { right: Some(recording), ..self },
        }
    }

    /// The eyes of this recording.
    #[must_use]
    pub fn with_gaze(self, recording: &'a Recording) -> Self {
        Self { gaze: Some(recording), ..self }
    }

    /// The markers of these recordings only; otherwise those of all that anything is taken from.
    #[must_use]
    pub fn with_markers(self, recordings: &[&'a Recording]) -> Self {
        Self { markers: Some(recordings.to_vec()), ..self }
    }

    /// What anything is taken from, each once.
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

/// One recording made of parts of several: the head of one, the hands of another, the eyes of a third. Times stay as
/// they are.
///
/// A part that its recording does not have is not there in the result either. Markers of several recordings are put
/// together by time. The format is that of the first recording whose format can hold everything.
///
/// ```
/// use holotape::Hand;
/// use holotape::edit::{self, MergeOptions};
///
/// # let demo = |seed| holotape::demo::DemoOptions::new().with_seconds(1.0).with_seed(seed).generate();
/// let (good, better) = (demo(1)?, demo(2)?);
/// let best = MergeOptions::new().with_camera(&good).with_hands(&good).with_hand(Hand::Left, &better);
/// let best = edit::merge(&best.with_markers(&[&better]));
/// assert_eq!(best.hand(Hand::Left), better.hand(Hand::Left));
/// assert_eq!(best.hand(Hand::Right), good.hand(Hand::Right));
/// assert_eq!(best.markers, better.markers);
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
