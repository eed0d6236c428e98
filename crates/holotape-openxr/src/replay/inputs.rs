//! The application's actions, and which recorded value each of them has.

use holotape::Hand;
use openxr_sys as xr;

use super::hand_pose::HandPose;
use crate::profile;

/// What an action is bound to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Input {
    /// 1 while the hand pinches.
    Pinch(Hand),
    /// 1 while the hand is tracked.
    Tracked(Hand),
    /// Always 0: a recording has no grasp.
    Grasp(Hand),
    Pose(Hand, HandPose),
    Gaze,
}

impl Input {
    /// The input of a path such as `/user/hand/left/input/pinch_ext/value`.
    fn of_path(path: &str) -> Option<Self> {
        if path == profile::GAZE_POSE {
            return Some(Self::Gaze);
        }
        let on_hand = |hand: Hand| Some((hand, path.strip_prefix(profile::HAND_PATHS[hand as usize])?));
        let (hand, input) = on_hand(Hand::Left).or_else(|| on_hand(Hand::Right))?;
        let input = input.strip_prefix("/input/")?;
        match input {
            "pinch_ext/ready_ext" | "aim_activate_ext/ready_ext" | "grasp_ext/ready_ext" => Some(Self::Tracked(hand)),
            "pinch_ext"
            | "pinch_ext/value"
            | "aim_activate_ext"
            | "aim_activate_ext/value"
            | "select"
            | "select/click"
            | "select/value"
            | "trigger"
            | "trigger/click"
            | "trigger/value" => Some(Self::Pinch(hand)),
            "grasp_ext" | "grasp_ext/value" | "squeeze" | "squeeze/click" | "squeeze/value" => Some(Self::Grasp(hand)),
            _ => HandPose::of_input(input).map(|pose| Self::Pose(hand, pose)),
        }
    }

    /// The hand, or `None` for the eyes.
    pub(super) fn hand(self) -> Option<Hand> {
        match self {
            Self::Pinch(hand) | Self::Tracked(hand) | Self::Grasp(hand) | Self::Pose(hand, _) => Some(hand),
            Self::Gaze => None,
        }
    }
}

/// Bindings that the application suggests for one profile.
struct Suggestion {
    name: String,
    profile: xr::Path,
    bindings: Vec<(xr::Action, Input)>,
}

/// The suggestions of the application, and the profile that the replay pretends to be.
#[derive(Default)]
pub(super) struct Inputs {
    suggestions: Vec<Suggestion>,
    chosen: Option<usize>,
}

impl Inputs {
    /// Remembers the bindings of a profile; later ones replace earlier ones.
    pub(super) fn suggest(&mut self, profile: xr::Path, name: String, bindings: &[(xr::Action, String)]) {
        let known = |(action, path): &(xr::Action, String)| Some((*action, Input::of_path(path)?));
        let suggestion = Suggestion { name, profile, bindings: bindings.iter().filter_map(known).collect() };
        self.suggestions.retain(|other| other.profile != profile);
        self.suggestions.push(suggestion);
    }

    /// Chooses the profile that suits recorded hands best. Called when the bindings are final.
    pub(super) fn choose(&mut self) {
        let usable = self.suggestions.iter().enumerate();
        let usable = usable.filter(|(_, it)| it.bindings.iter().any(|(_, input)| input.hand().is_some()));
        self.chosen = usable.min_by_key(|(_, it)| profile::rank(&it.name)).map(|(index, _)| index);
    }

    /// The profile of the hands.
    pub(super) fn hand_profile(&self) -> Option<xr::Path> {
        self.chosen.map(|index| self.suggestions[index].profile)
    }

    /// The inputs that an action has, of one hand or of all.
    pub(super) fn of_action(&self, action: xr::Action, hand: Option<Hand>) -> impl Iterator<Item = Input> {
        let chosen = self.chosen.map(|index| &self.suggestions[index]);
        let gaze = self.suggestions.iter().find(|it| it.name == profile::EYE_GAZE);
        let bindings = chosen.into_iter().chain(gaze).flat_map(|it| &it.bindings);
        let of_action = bindings.filter(move |(bound, _)| *bound == action).map(|(_, input)| *input);
        of_action.filter(move |input| hand.is_none() || input.hand() == hand)
    }

    /// Whether an action has inputs of a hand, of one or of any, in some profile. If the chosen profile is another, the
    /// action is inactive: the controllers of the device must not mix with the replayed hands.
    pub(super) fn is_of_hand(&self, action: xr::Action, hand: Option<Hand>) -> bool {
        let bindings = self.suggestions.iter().flat_map(|it| &it.bindings);
        let mut hands = bindings.filter(|(bound, _)| *bound == action).filter_map(|(_, input)| input.hand());
        hands.any(|bound| hand.is_none_or(|hand| hand == bound))
    }
}

/// The recorded state of both hands and of the eyes at the last synchronization.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct InputState {
    pub(super) tracked: [bool; 2],
    pub(super) pinching: [bool; 2],
    pub(super) gaze: bool,
}

impl InputState {
    fn value(&self, input: Input) -> f32 {
        let is_set = match input {
            Input::Pinch(hand) => self.pinching[hand as usize],
            Input::Tracked(hand) => self.tracked[hand as usize],
            Input::Grasp(_) | Input::Pose(..) | Input::Gaze => false,
        };
        f32::from(u8::from(is_set))
    }

    fn is_active(&self, input: Input) -> bool {
        input.hand().map_or(self.gaze, |hand| self.tracked[hand as usize])
    }
}

/// The answer to a question about an action.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ActionState {
    pub(crate) value: f32,
    pub(crate) has_changed: bool,
    pub(crate) changed_nanos: i64,
    pub(crate) is_active: bool,
}

/// The states of the last two synchronizations.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SyncedInputs {
    previous: InputState,
    current: InputState,
    changed_nanos: [i64; 2],
}

impl SyncedInputs {
    pub(super) fn sync(&mut self, state: InputState, nanos: i64) {
        self.previous = std::mem::replace(&mut self.current, state);
        for hand in Hand::ALL {
            if self.previous.pinching[hand as usize] != state.pinching[hand as usize] {
                self.changed_nanos[hand as usize] = nanos;
            }
        }
    }

    /// The state of an action that has these inputs: the largest value, as OpenXR requires.
    pub(super) fn action(&self, inputs: impl Iterator<Item = Input> + Clone) -> ActionState {
        let largest = |state: &InputState| inputs.clone().map(|input| state.value(input)).fold(0.0, f32::max);
        let (value, before) = (largest(&self.current), largest(&self.previous));
        let changed = inputs.clone().filter_map(Input::hand).map(|hand| self.changed_nanos[hand as usize]).max();
        let is_active = inputs.clone().any(|input| self.current.is_active(input));
        let was_active = inputs.clone().any(|input| self.previous.is_active(input));
        ActionState {
            value: if is_active { value } else { 0.0 },
            has_changed: is_active && was_active && value != before,
            changed_nanos: if is_active { changed.unwrap_or(0) } else { 0 },
            is_active,
        }
    }
}

#[cfg(test)]
mod tests {
    use openxr_sys::Handle as _;

    use super::*;

    #[test]
    fn hand_profile_is_preferred_to_controllers() {
        let action = xr::Action::from_raw(7);
        let mut inputs = Inputs::default();
        let bindings = |input: &str| profile::HAND_PATHS.map(|hand| (action, format!("{hand}/input/{input}"))).to_vec();
        inputs.suggest(xr::Path::from_raw(1), profile::SIMPLE_CONTROLLER.to_owned(), &bindings("select/click"));
        inputs.choose();
        assert_eq!(inputs.hand_profile(), Some(xr::Path::from_raw(1)));
        inputs.suggest(xr::Path::from_raw(2), profile::HAND_INTERACTION.to_owned(), &bindings("pinch_ext/value"));
        inputs.choose();
        assert_eq!(inputs.hand_profile(), Some(xr::Path::from_raw(2)));
        let left: Vec<_> = inputs.of_action(action, Some(Hand::Left)).collect();
        assert_eq!(left, [Input::Pinch(Hand::Left)]);
        assert_eq!(inputs.of_action(action, None).count(), 2);
    }

    #[test]
    fn changes_are_reported_once() {
        let mut synced = SyncedInputs::default();
        let pinch = || [Input::Pinch(Hand::Right)].into_iter();
        let open = InputState { tracked: [false, true], ..InputState::default() };
        let closed = InputState { pinching: [false, true], ..open };
        synced.sync(open, 10);
        synced.sync(closed, 20);
        let expected = ActionState { value: 1.0, has_changed: true, changed_nanos: 20, is_active: true };
        assert_eq!(synced.action(pinch()), expected);
        synced.sync(closed, 30);
        assert_eq!(synced.action(pinch()), ActionState { has_changed: false, ..expected });
        let left = synced.action([Input::Pinch(Hand::Left)].into_iter());
        assert!(!left.is_active && left.value == 0.0);
    }
}
