//! Interaction profiles: which of their inputs mean a pinch, and which a pose of the hand.

/// The profile of tracked hands.
pub(crate) const HAND_INTERACTION: &str = "/interaction_profiles/ext/hand_interaction_ext";

/// The older profile of tracked hands.
pub(crate) const MICROSOFT_HAND_INTERACTION: &str = "/interaction_profiles/microsoft/hand_interaction";

/// The profile that every runtime has.
pub(crate) const SIMPLE_CONTROLLER: &str = "/interaction_profiles/khr/simple_controller";

/// The profile of eye tracking.
pub(crate) const EYE_GAZE: &str = "/interaction_profiles/ext/eye_gaze_interaction";

/// The input of [`EYE_GAZE`].
pub(crate) const GAZE_POSE: &str = "/user/eyes_ext/input/gaze_ext/pose";

/// The path of the eyes.
pub(crate) const EYES_PATH: &str = "/user/eyes_ext";

/// The paths of the hands, left first.
pub(crate) const HAND_PATHS: [&str; 2] = ["/user/hand/left", "/user/hand/right"];

/// The input that means a pinch, for every profile with one. A profile of hands comes before those of controllers.
const PINCH_INPUTS: [(&str, &str); 12] = [
    (HAND_INTERACTION, "pinch_ext/value"),
    (MICROSOFT_HAND_INTERACTION, "select/value"),
    (SIMPLE_CONTROLLER, "select/click"),
    ("/interaction_profiles/oculus/touch_controller", "trigger/value"),
    ("/interaction_profiles/meta/touch_controller_plus", "trigger/value"),
    ("/interaction_profiles/meta/touch_pro_controller", "trigger/value"),
    ("/interaction_profiles/bytedance/pico4_controller", "trigger/value"),
    ("/interaction_profiles/valve/index_controller", "trigger/value"),
    ("/interaction_profiles/htc/vive_controller", "trigger/value"),
    ("/interaction_profiles/htc/vive_focus3_controller", "trigger/value"),
    ("/interaction_profiles/microsoft/motion_controller", "trigger/value"),
    ("/interaction_profiles/hp/mixed_reality_controller", "trigger/value"),
];

/// The input of a profile that means a pinch, such as `pinch_ext/value`.
pub(crate) fn pinch_input(profile: &str) -> Option<&'static str> {
    PINCH_INPUTS.iter().find(|(name, _)| *name == profile).map(|(_, input)| *input)
}

/// How well a profile suits recorded hands; lower is better.
pub(crate) fn rank(profile: &str) -> usize {
    PINCH_INPUTS.iter().position(|(name, _)| *name == profile).unwrap_or(PINCH_INPUTS.len())
}

/// Whether a profile is that of a controller, not of hands or eyes.
pub(crate) fn is_controller(profile: &str) -> bool {
    ![HAND_INTERACTION, MICROSOFT_HAND_INTERACTION, EYE_GAZE].contains(&profile)
}
