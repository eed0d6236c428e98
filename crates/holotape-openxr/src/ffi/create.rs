//! Creation of an instance: the layers add and remove extensions, then pass the call on.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use openxr_sys as xr;

use super::next::{Next, extensions_of_the_runtime, text_of};
use super::{Instance, InstanceSlot, RECORD, REPLAY};
use crate::manifest::REPLAYED_EXTENSIONS;
use crate::record::RecordLayer;
use crate::replay::ReplayLayer;
use crate::{RECORD_LAYER, REPLAY_LAYER};

pub(super) unsafe extern "system" fn create_record_instance(
    info: *const xr::InstanceCreateInfo,
    layer_info: *const xr::ApiLayerCreateInfo,
    instance: *mut xr::Instance,
) -> xr::Result {
    // SAFETY: the loader passes valid pointers.
    unsafe {
        create_instance(
            &RECORD,
            RECORD_LAYER,
            info,
            layer_info,
            instance,
            RecordLayer::choose_extensions,
            RecordLayer::new,
        )
    }
}

pub(super) unsafe extern "system" fn create_replay_instance(
    info: *const xr::InstanceCreateInfo,
    layer_info: *const xr::ApiLayerCreateInfo,
    instance: *mut xr::Instance,
) -> xr::Result {
    // SAFETY: the loader passes valid pointers.
    unsafe {
        create_instance(
            &REPLAY,
            REPLAY_LAYER,
            info,
            layer_info,
            instance,
            ReplayLayer::choose_extensions,
            ReplayLayer::new,
        )
    }
}

/// The extensions of an instance.
#[derive(Clone, Debug, Default)]
pub(crate) struct Extensions {
    /// Those that the application enables.
    pub(crate) application: BTreeSet<String>,
    /// Those that the runtime, or a layer below, offers.
    pub(crate) runtime: BTreeSet<String>,
}

impl Extensions {
    /// Whether the application enables it and the runtime offers it.
    pub(crate) fn is_passed_on(&self, name: &str) -> bool {
        self.application.contains(name) && self.runtime.contains(name)
    }
}

/// # Safety
/// The pointers are those that the loader passes to `xrCreateApiLayerInstance`.
unsafe fn create_instance<L>(
    slot: &InstanceSlot<L>,
    layer_name: &str,
    info: *const xr::InstanceCreateInfo,
    layer_info: *const xr::ApiLayerCreateInfo,
    instance: *mut xr::Instance,
    choose_extensions: fn(&Extensions) -> Vec<String>,
    new_layer: fn(Arc<Next>, Extensions) -> Option<L>,
) -> xr::Result {
    // SAFETY: valid or null, as the caller guarantees; `next_info` is the list of the layers below.
    let (Some(info), Some(layer_info)) = (unsafe { info.as_ref() }, unsafe { layer_info.as_ref() }) else {
        return xr::Result::ERROR_INITIALIZATION_FAILED;
    };
    // SAFETY: as above.
    let Some(next_info) = (unsafe { layer_info.next_info.as_ref() }) else {
        return xr::Result::ERROR_INITIALIZATION_FAILED;
    };
    let (Some(get), Some(create)) = (next_info.next_get_instance_proc_addr, next_info.next_create_api_layer_instance)
    else {
        return xr::Result::ERROR_INITIALIZATION_FAILED;
    };
    // SAFETY: the list that the loader passes.
    if unsafe { layers_below(next_info) }.any(|name| name == layer_name) {
        // The loader has found two manifests of this layer. The lower one works; two would call each other.
        let mut layer_info = *layer_info;
        layer_info.next_info = next_info.next;
        // SAFETY: both structures are the loader's, with the list of the next layer.
        return unsafe { create(info, &raw const layer_info, instance) };
    }
    // SAFETY: the array has as many strings as its count.
    let application = unsafe { names(info.enabled_extension_names, info.enabled_extension_count) };
    // SAFETY: the list that the loader passes.
    let extensions = Extensions { application, runtime: unsafe { extensions_below(next_info) } };
    let chosen: Vec<_> =
        choose_extensions(&extensions).into_iter().filter_map(|name| CString::new(name).ok()).collect();
    let pointers: Vec<_> = chosen.iter().map(|name| name.as_ptr()).collect();

    let mut info = *info;
    info.enabled_extension_count = pointers.len() as u32;
    info.enabled_extension_names = pointers.as_ptr();
    let mut layer_info = *layer_info;
    layer_info.next_info = next_info.next;
    // SAFETY: both structures are copies of the loader's with changed lists, which live until the call returns.
    let result = unsafe { create(&raw const info, &raw const layer_info, instance) };
    if result != xr::Result::SUCCESS {
        return result;
    }
    // SAFETY: the layer below has written the handle.
    let handle = unsafe { *instance };
    // SAFETY: `get` is the function of the layer below, and the handle is its instance.
    let next = Arc::new(unsafe { Next::load(get, handle) });
    let layer = catch_unwind(AssertUnwindSafe(|| new_layer(next.clone(), extensions))).ok().flatten();
    slot.replace(Some(Arc::new(Instance { next, layer, is_disabled: AtomicBool::new(false) })));
    result
}

/// # Safety
/// `names` points to `count` strings that end with 0.
unsafe fn names(names: *const *const c_char, count: u32) -> BTreeSet<String> {
    if names.is_null() {
        return BTreeSet::new();
    }
    // SAFETY: as the caller guarantees.
    let names = unsafe { std::slice::from_raw_parts(names, count as usize) };
    // SAFETY: as the caller guarantees.
    names.iter().map(|name| unsafe { CStr::from_ptr(*name) }.to_string_lossy().into_owned()).collect()
}

/// The extensions that the runtime offers, and those of our replay layer if it is below.
///
/// The layers below have no instance yet and cannot answer, so the runtime is asked directly: it is at the end of the
/// list.
///
/// # Safety
/// `first` is a valid list.
unsafe fn extensions_below(first: &xr::ApiLayerNextInfo) -> BTreeSet<String> {
    let mut offered = BTreeSet::new();
    // SAFETY: as the caller guarantees.
    if unsafe { layers_below(first) }.any(|name| name == REPLAY_LAYER) {
        offered.extend(REPLAYED_EXTENSIONS.map(|(name, _)| name.to_owned()));
    }
    let mut last = first;
    // SAFETY: as the caller guarantees.
    while let Some(info) = unsafe { last.next.as_ref() } {
        last = info;
    }
    if let Some(get) = last.next_get_instance_proc_addr {
        // SAFETY: the function of the runtime, or of the loader in front of it.
        offered.extend(unsafe { extensions_of_the_runtime(get) });
    }
    offered
}

/// The names of the layers below the first of a list.
///
/// # Safety
/// `first` is a valid list.
unsafe fn layers_below(first: &xr::ApiLayerNextInfo) -> impl Iterator<Item = String> {
    // SAFETY: as the caller guarantees.
    let below = std::iter::successors(unsafe { first.next.as_ref() }, |info| unsafe { info.next.as_ref() });
    below.map(|info| text_of(&info.layer_name))
}
