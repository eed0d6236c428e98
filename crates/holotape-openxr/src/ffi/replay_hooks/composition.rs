//! Composition layers, which the application places around the recorded head.
//!
//! The compositor shows every layer from where the real head is. An image that was rendered for the recorded head would
//! slide out of sight as soon as the two differ. So layers are placed in the runtime's VIEW space, as the recorded head
//! sees them: the headset shows what the recorded eyes see, and nothing is reprojected.

use std::ptr;

use openxr_sys as xr;

use super::super::hooks::slice;
use super::super::next::call;
use super::super::{Next, REPLAY};
use crate::replay::ReplayLayer;
use crate::rigid::Rigid;

/// Every runtime supports 16 layers. More than these are passed on as they are: arrays of fixed size need no allocation.
const MAX_LAYERS: usize = 32;

/// Headsets with a high resolution in the middle have four views.
const MAX_VIEWS: usize = 4;

pub(super) unsafe extern "system" fn end_frame(session: xr::Session, info: *const xr::FrameEndInfo) -> xr::Result {
    let pass_on = |next: &Next| call!(next, end_frame(session, info));
    REPLAY.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let Some(ended) = (unsafe { info.as_ref() }) else { return pass_on(next) };
            // SAFETY: the array has as many elements as its count.
            let layers = unsafe { slice(ended.layers, ended.layer_count) };
            if layers.len() > MAX_LAYERS {
                return pass_on(next);
            }
            let mut placed = [const { None }; MAX_LAYERS];
            let mut pointers = [ptr::null(); MAX_LAYERS];
            for ((from, slot), to) in layers.iter().zip(&mut placed).zip(&mut pointers) {
                // SAFETY: valid, as OpenXR requires.
                *slot = unsafe { placed_in_view(layer, session, ended.display_time, *from) };
                *to = slot.as_mut().map_or(*from, PlacedLayer::pointer);
            }
            let mut changed = *ended;
            changed.layers = pointers.as_ptr();
            call!(next, end_frame(session, &raw const changed))
        },
        pass_on,
    )
}

/// The layers that have a pose in a space.
const PLACED_TYPES: [xr::StructureType; 6] = [
    xr::CompositionLayerProjection::TYPE,
    xr::CompositionLayerQuad::TYPE,
    xr::CompositionLayerCylinderKHR::TYPE,
    xr::CompositionLayerCubeKHR::TYPE,
    xr::CompositionLayerEquirectKHR::TYPE,
    xr::CompositionLayerEquirect2KHR::TYPE,
];

/// A copy of a layer with another space and pose.
#[expect(clippy::large_enum_variant, reason = "a box would be an allocation per frame")]
enum PlacedLayer {
    Projection(xr::CompositionLayerProjection, [xr::CompositionLayerProjectionView; MAX_VIEWS]),
    Quad(xr::CompositionLayerQuad),
    Cylinder(xr::CompositionLayerCylinderKHR),
    Cube(xr::CompositionLayerCubeKHR),
    Equirect(xr::CompositionLayerEquirectKHR),
    Equirect2(xr::CompositionLayerEquirect2KHR),
}

impl PlacedLayer {
    /// The address of the layer, which must not move from now on.
    fn pointer(&mut self) -> *const xr::CompositionLayerBaseHeader {
        match self {
            Self::Projection(layer, views) => {
                layer.views = views.as_ptr();
                ptr::from_ref(layer).cast()
            }
            Self::Quad(layer) => ptr::from_ref(layer).cast(),
            Self::Cylinder(layer) => ptr::from_ref(layer).cast(),
            Self::Cube(layer) => ptr::from_ref(layer).cast(),
            Self::Equirect(layer) => ptr::from_ref(layer).cast(),
            Self::Equirect2(layer) => ptr::from_ref(layer).cast(),
        }
    }
}

/// The layer as the recorded head sees it, `None` if it stays as it is: in a space that moves with the head, of a type
/// that has no pose, or unknown.
///
/// # Safety
/// `from` is null or a valid layer.
unsafe fn placed_in_view(
    replay: &ReplayLayer,
    session: xr::Session,
    time: xr::Time,
    from: *const xr::CompositionLayerBaseHeader,
) -> Option<PlacedLayer> {
    use xr::StructureType as Type;
    // SAFETY: as the caller guarantees.
    let header = unsafe { from.as_ref() }.filter(|header| PLACED_TYPES.contains(&header.ty))?;
    let (view, space_in_view) = replay.seen_from_head(session, header.space, time)?;
    let place = |pose: xr::Posef| space_in_view.then(Rigid::from_openxr(pose)).to_openxr();
    macro_rules! placed {
        ($Layer:ident, $Struct:ty) => {{
            // SAFETY: the type tells what the structure is.
            let mut layer = unsafe { *from.cast::<$Struct>() };
            (layer.space, layer.pose) = (view, place(layer.pose));
            Some(PlacedLayer::$Layer(layer))
        }};
    }
    match header.ty {
        Type::COMPOSITION_LAYER_PROJECTION => {
            // SAFETY: the type tells what the structure is, and the array has as many elements as its count.
            let (mut layer, views) = unsafe {
                let layer = *from.cast::<xr::CompositionLayerProjection>();
                (layer, slice(layer.views, layer.view_count))
            };
            let first = views.first().filter(|_| views.len() <= MAX_VIEWS)?;
            let mut placed = [*first; MAX_VIEWS];
            placed[..views.len()].copy_from_slice(views);
            placed.iter_mut().for_each(|view| view.pose = place(view.pose));
            layer.space = view;
            Some(PlacedLayer::Projection(layer, placed))
        }
        Type::COMPOSITION_LAYER_QUAD => placed!(Quad, xr::CompositionLayerQuad),
        Type::COMPOSITION_LAYER_CYLINDER_KHR => placed!(Cylinder, xr::CompositionLayerCylinderKHR),
        Type::COMPOSITION_LAYER_EQUIRECT_KHR => placed!(Equirect, xr::CompositionLayerEquirectKHR),
        Type::COMPOSITION_LAYER_EQUIRECT2_KHR => placed!(Equirect2, xr::CompositionLayerEquirect2KHR),
        Type::COMPOSITION_LAYER_CUBE_KHR => {
            // SAFETY: the type tells what the structure is.
            let mut layer = unsafe { *from.cast::<xr::CompositionLayerCubeKHR>() };
            // A cube is infinitely far away: it turns, but does not move.
            let pose = xr::Posef { orientation: layer.orientation, position: xr::Vector3f { x: 0.0, y: 0.0, z: 0.0 } };
            (layer.space, layer.orientation) = (view, place(pose).orientation);
            Some(PlacedLayer::Cube(layer))
        }
        _ => None,
    }
}
