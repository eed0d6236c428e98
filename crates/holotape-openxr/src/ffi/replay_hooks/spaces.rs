//! Spaces and views: the recorded head, hands and gaze, in whatever space the application asks for.

use std::ffi::c_void;

use openxr_sys as xr;

use super::super::hooks::slice;
use super::super::next::call;
use super::super::{Located, Next, REPLAY, chain, tracked_flags};
use crate::replay::ReplayLayer;
use crate::rigid::Rigid;

pub(super) unsafe extern "system" fn create_reference_space(
    session: xr::Session,
    info: *const xr::ReferenceSpaceCreateInfo,
    space: *mut xr::Space,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, create_reference_space(session, info, space)),
        |layer, _| {
            // SAFETY: the runtime has accepted both pointers and written the handle.
            let (info, space) = unsafe { (&*info, *space) };
            let offset = Rigid::from_openxr(info.pose_in_reference_space);
            layer.reference_space_created(session, space, info.reference_space_type, offset);
        },
    )
}

pub(super) unsafe extern "system" fn create_action_space(
    session: xr::Session,
    info: *const xr::ActionSpaceCreateInfo,
    space: *mut xr::Space,
) -> xr::Result {
    REPLAY.observe(
        |next| call!(next, create_action_space(session, info, space)),
        |layer, _| {
            // SAFETY: the runtime has accepted both pointers and written the handle.
            let (info, space) = unsafe { (&*info, *space) };
            let offset = Rigid::from_openxr(info.pose_in_action_space);
            layer.action_space_created(session, space, info.action, info.subaction_path, offset);
        },
    )
}

pub(super) unsafe extern "system" fn destroy_space(space: xr::Space) -> xr::Result {
    REPLAY.observe(|next| call!(next, destroy_space(space)), |layer, _| layer.space_destroyed(space))
}

pub(super) unsafe extern "system" fn locate_space(
    space: xr::Space,
    base: xr::Space,
    time: xr::Time,
    location: *mut xr::SpaceLocation,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_space(space, base, time, location));
    REPLAY.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let Some(location) = (unsafe { location.as_mut() }) else { return pass_on(next) };
            let located = match layer.locate(space, base, time) {
                Ok(Some(located)) => located,
                Ok(None) => return pass_on(next),
                Err(code) => return code,
            };
            (location.location_flags, location.pose) = (located.flags, located.pose.to_openxr());
            // SAFETY: a valid chain, as OpenXR requires.
            unsafe { clear_velocities(location.next) };
            xr::Result::SUCCESS
        },
        pass_on,
    )
}

pub(super) unsafe extern "system" fn locate_spaces(
    session: xr::Session,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_spaces(session, info, locations));
    // SAFETY: pointers of the application.
    REPLAY.call(|layer, next| unsafe { locate_each(layer, info, locations, || pass_on(next)) }, pass_on)
}

pub(super) unsafe extern "system" fn locate_spaces_khr(
    session: xr::Session,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_spaces_khr(session, info, locations));
    // SAFETY: pointers of the application.
    REPLAY.call(|layer, next| unsafe { locate_each(layer, info, locations, || pass_on(next)) }, pass_on)
}

/// Lets the runtime locate all spaces, then replaces the answers that the recording has.
///
/// # Safety
/// The pointers are valid or null.
unsafe fn locate_each(
    layer: &ReplayLayer,
    info: *const xr::SpacesLocateInfo,
    locations: *mut xr::SpaceLocations,
    pass_on: impl FnOnce() -> xr::Result,
) -> xr::Result {
    let result = pass_on();
    if result.into_raw() < 0 {
        return result;
    }
    // SAFETY: the runtime has accepted the pointers; both arrays have as many elements as their counts.
    let (info, locations) = unsafe { (&*info, &mut *locations) };
    // SAFETY: as above.
    let spaces = unsafe { slice(info.spaces, info.space_count) };
    let count = locations.location_count.min(info.space_count) as usize;
    for (index, space) in spaces.iter().enumerate().take(count) {
        match layer.locate(*space, info.base_space, info.time) {
            // SAFETY: the index is below the count of the array.
            Ok(Some(Located { flags, pose })) => unsafe {
                let location = &mut *locations.locations.add(index);
                (location.location_flags, location.pose) = (flags, pose.to_openxr());
            },
            Ok(None) => {}
            Err(code) => return code,
        }
    }
    // SAFETY: the runtime has accepted the chain.
    unsafe { clear_velocities(locations.next) };
    result
}

pub(super) unsafe extern "system" fn locate_views(
    session: xr::Session,
    info: *const xr::ViewLocateInfo,
    state: *mut xr::ViewState,
    capacity: u32,
    count: *mut u32,
    views: *mut xr::View,
) -> xr::Result {
    let pass_on = |next: &Next| call!(next, locate_views(session, info, state, capacity, count, views));
    REPLAY.call(
        |layer, next| {
            // SAFETY: valid or null, as OpenXR requires.
            let Some(asked) = (unsafe { info.as_ref() }) else { return pass_on(next) };
            let (view_space, head) = match layer.locate_head(session, asked.space, asked.display_time) {
                Ok(Some(found)) => found,
                Ok(None) => return pass_on(next),
                Err(code) => return code,
            };
            // The eyes keep the offsets and fields of view that the runtime has.
            let mut in_view = *asked;
            in_view.space = view_space;
            let result = call!(next, locate_views(session, &raw const in_view, state, capacity, count, views));
            if result.into_raw() < 0 || capacity == 0 {
                return result;
            }
            // SAFETY: the runtime has accepted the pointers and written as many views as the count says.
            unsafe {
                for index in 0..(*count as usize) {
                    let view = &mut *views.add(index);
                    let eye = Rigid::from_openxr(view.pose).rounded();
                    view.pose = head.unwrap_or(Rigid::IDENTITY).then(eye).to_openxr();
                }
                let flags = if head.is_some() { tracked_flags().into_raw() } else { 0 };
                (*state).view_state_flags = xr::ViewStateFlags::from_raw(flags);
            }
            result
        },
        pass_on,
    )
}

/// The recording has no velocities. Stale values must not stay in the application's structures.
///
/// # Safety
/// `next` is null or a valid chain of output structures.
pub(super) unsafe fn clear_velocities(next: *mut c_void) {
    use xr::StructureType as Type;
    let none = xr::SpaceVelocityFlags::EMPTY;
    // SAFETY: as the caller guarantees; the type tells what each structure is, and arrays have their count.
    unsafe {
        chain::for_each(next, |ty, structure| match ty {
            Type::SPACE_VELOCITY => (*structure.cast::<xr::SpaceVelocity>()).velocity_flags = none,
            Type::SPACE_VELOCITIES => {
                let structure = &*structure.cast::<xr::SpaceVelocities>();
                for index in 0..structure.velocity_count as usize {
                    (*structure.velocities.add(index)).velocity_flags = none;
                }
            }
            Type::HAND_JOINT_VELOCITIES_EXT => {
                let structure = &*structure.cast::<xr::HandJointVelocitiesEXT>();
                for index in 0..structure.joint_count as usize {
                    (*structure.joint_velocities.add(index)).velocity_flags = none;
                }
            }
            _ => {}
        });
    }
}
