//! What a script is: steps for each hand, things to look at, and actions worth a marker.

use glam::DVec3;

use super::motion::HandPose;
use super::routine;
use crate::Hand;

/// What a hand begins to do at some time.
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
    /// The word of its marker.
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

    /// Whether people look at the hand that does it. A hand that is done finds its way by itself.
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
    /// What the action is about, in the world.
    pub(super) target: DVec3,
}

/// How a hand gets from one stance to the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum HandTransition {
    /// On a path that rises above the straight line by so many metres.
    Move { lift: f64 },
    /// Back to where it was, after so many swings.
    Wave { swings: f64 },
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct HandStep {
    pub(super) start: f64,
    pub(super) end: f64,
    pub(super) way: HandTransition,
    pub(super) to: HandPose,
}

/// Everything that happens in a demo. What it says of a time does not depend on when it ends.
#[derive(Debug)]
pub(super) struct Script {
    opening: HandPose,
    /// By time, for each hand; between two steps the hand keeps its stance.
    steps: [Vec<HandStep>; 2],
    /// By time.
    cues: Vec<ActionCue>,
}

impl Script {
    /// The script that a seed gives, at least up to a time.
    pub(super) fn new(seed: u64, seconds: f64) -> Self {
        let mut script = Self { opening: routine::initial_pose(), steps: [Vec::new(), Vec::new()], cues: Vec::new() };
        routine::add_routines(&mut script, seed, seconds);
        script.cues.sort_by(|a, b| a.start.total_cmp(&b.start));
        script
    }

    pub(super) fn cues(&self) -> &[ActionCue] {
        &self.cues
    }

    /// The last cue up to a time: what the head and the eyes attend to.
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

    /// The stance that a hand has after all its steps so far, and since when.
    pub(super) fn last_pose(&self, hand: Hand) -> (HandPose, f64) {
        self.steps[hand as usize].last().map_or((self.opening, 0.0), |step| (step.to, step.end))
    }

    /// The stance of a hand at a time, as for a right hand.
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
