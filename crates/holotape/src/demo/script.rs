//! A script: steps for each hand, gaze targets, and actions that get a marker.

use glam::DVec3;

use super::motion::HandPose;
use super::routine;
use crate::Hand;

/// An action of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Reach,
    Pinch,
    Carry,
    Release,
    Point,
    Wave,
    Rest,
    Lower,
}

impl Action {
    /// The verb of its marker.
    pub(super) fn marker_name(self) -> &'static str {
        match self {
            Self::Reach => "reaches",
            Self::Pinch => "pinches",
            Self::Carry => "carries",
            Self::Release => "releases",
            Self::Point => "points",
            Self::Wave => "waves",
            Self::Rest => "rests",
            Self::Lower => "lowers",
        }
    }

    /// Whether a person looks at the hand during it.
    pub(super) fn attracts_gaze(self) -> bool {
        !matches!(self, Self::Rest | Self::Lower)
    }
}

/// The start of an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct ActionCue {
    pub(super) start: f64,
    pub(super) hand: Hand,
    pub(super) action: Action,
    /// The target of the action, in world space.
    pub(super) target: DVec3,
}

/// How a hand moves from one pose to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HandTransition {
    /// Along a path that rises `lift` metres above the straight line.
    Move { lift: f64 },
    /// Back to the same pose, after a number of swings.
    Wave { swings: f64 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HandStep {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) way: HandTransition,
    pub(super) to: HandPose,
}

/// All actions of a demo. Those up to a time do not depend on when it ends.
#[derive(Debug)]
pub(super) struct Script {
    opening: HandPose,
    /// In order of time, for each hand; between two steps the hand keeps its pose.
    steps: [Vec<HandStep>; 2],
    /// In order of time.
    cues: Vec<ActionCue>,
}

impl Script {
    /// The script of a seed, at least up to a time.
    pub(super) fn new(seed: u64, seconds: f64) -> Self {
        let mut script = Self { opening: routine::initial_pose(), steps: [Vec::new(), Vec::new()], cues: Vec::new() };
        routine::add_routines(&mut script, seed, seconds);
        script.cues.sort_by(|a, b| a.start.total_cmp(&b.start));
        script
    }

    pub(super) fn cues(&self) -> &[ActionCue] {
        &self.cues
    }

    /// The last cue up to a time: the target of head and gaze.
    pub(super) fn cue_at(&self, time: f64) -> Option<&ActionCue> {
        let begun = self.cues.partition_point(|cue| cue.start <= time);
        self.cues[..begun].last()
    }

    pub(super) fn add_cue(&mut self, cue: ActionCue) {
        self.cues.push(cue);
    }

    pub(super) fn add_step(&mut self, hand: Hand, step: HandStep) {
        self.steps[hand as usize].push(step);
    }

    /// The pose of a hand after its last step, and since when.
    pub(super) fn last_pose(&self, hand: Hand) -> (HandPose, f64) {
        self.steps[hand as usize].last().map_or((self.opening, 0.0), |step| (step.to, step.end))
    }

    /// The pose of a hand at a time, as for a right hand.
    pub(super) fn pose_at(&self, hand: Hand, time: f64) -> HandPose {
        let steps = &self.steps[hand as usize];
        let begun = steps.partition_point(|step| step.start <= time);
        let (from, step) = match &steps[..begun] {
            [] => return self.opening,
            [step] => (&self.opening, step),
            [.., before, step] => (&before.to, step),
        };
        if time >= step.end {
            return step.to;
        }
        from.interpolate(&step.to, step.way, (time - step.start) / (step.end - step.start))
    }
}
