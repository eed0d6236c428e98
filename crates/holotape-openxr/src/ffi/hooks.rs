//! What the functions of both layers share: the table of hooks, and arrays of the application.

use std::ffi::{CStr, c_char};

use openxr_sys as xr;
use xr::pfn;

use super::InstanceSlot;
use super::next::find_c;

macro_rules! hooks {
    ($($name:literal => $function:ident: $Function:ident,)*) => {
        /// Our function of this name.
        fn hook(name: &std::ffi::CStr) -> Option<openxr_sys::pfn::VoidFunction> {
            use openxr_sys::pfn;
            match name.to_bytes() {
                // SAFETY: the application casts the pointer back to the type that the name stands for.
                $($name => Some(unsafe { std::mem::transmute::<pfn::$Function, pfn::VoidFunction>($function) }),)*
                _ => None,
            }
        }
    };
}
pub(super) use hooks;

/// Answers `xrGetInstanceProcAddr` with the layer's function, or else with that of the next layer. A function of an
/// extension that is not enabled is missing there, and so it is here, unless the layer `provides` it.
///
/// # Safety
/// The pointers are null or those that `xrGetInstanceProcAddr` requires.
pub(super) unsafe fn get_proc_addr<L>(
    slot: &InstanceSlot<L>,
    (instance, name, function): (xr::Instance, *const c_char, *mut Option<pfn::VoidFunction>),
    hook: fn(&CStr) -> Option<pfn::VoidFunction>,
    provides: fn(&L, &CStr) -> bool,
) -> xr::Result {
    let Some(ours) = slot.get() else { return xr::Result::ERROR_HANDLE_INVALID };
    if name.is_null() || function.is_null() {
        return xr::Result::ERROR_VALIDATION_FAILURE;
    }
    // SAFETY: not null; names end with 0.
    let name = unsafe { CStr::from_ptr(name) };
    // SAFETY: the function of the next layer, with the instance of the application.
    let below = unsafe { find_c(ours.next.get_instance_proc_addr, instance, name) };
    let is_provided = || ours.layer.as_ref().is_some_and(|layer| provides(layer, name));
    let (result, found) = match (hook(name), below) {
        (hook, Ok(below)) => (xr::Result::SUCCESS, Some(hook.unwrap_or(below))),
        (Some(hook), Err(_)) if is_provided() => (xr::Result::SUCCESS, Some(hook)),
        (_, Err(code)) => (code, None),
    };
    // SAFETY: not null, and the caller owns it.
    unsafe { *function = found };
    result
}

/// # Safety
/// `array` has `count` elements, or is null if there are none.
pub(super) unsafe fn slice<'a, T>(array: *const T, count: u32) -> &'a [T] {
    if array.is_null() {
        return &[];
    }
    // SAFETY: as the caller guarantees.
    unsafe { std::slice::from_raw_parts(array, count as usize) }
}
