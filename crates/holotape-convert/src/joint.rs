//! What more than one format asks of joints.

use holotape::Joint;

/// The joints on the way from one to the wrist, the nearest first.
pub(crate) fn towards_wrist(joint: Joint) -> impl Iterator<Item = Joint> {
    std::iter::successors(joint.parent(), |joint| joint.parent())
}

/// The name of a joint in WebXR; the palm, which that does not have, is called `palm`.
pub(crate) fn name(joint: Joint) -> &'static str {
    joint.webxr_name().unwrap_or("palm")
}
