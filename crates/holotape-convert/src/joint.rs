//! Joint functions that several formats need.

use holotape::Joint;

/// The ancestors of a joint up to the wrist, nearest first.
pub(crate) fn towards_wrist(joint: Joint) -> impl Iterator<Item = Joint> {
    std::iter::successors(joint.parent(), |joint| joint.parent())
}

/// The WebXR name of a joint; `palm` for the palm, which WebXR does not have.
pub(crate) fn name(joint: Joint) -> &'static str {
    joint.webxr_name().unwrap_or("palm")
}
