//! The one function that the library exports: the loader asks for a layer by its name.

use std::ffi::{CStr, c_char};

use openxr_sys as xr;

use super::create::{create_record_instance, create_replay_instance};
use super::{record_hooks, replay_hooks};
use crate::{RECORD_LAYER, REPLAY_LAYER};

/// The version of the interface between loader and layers.
const INTERFACE_VERSION: u32 = 1;

/// Called by the loader.
///
/// # Safety
/// The loader passes valid structures and a layer name that ends with 0, as its interface requires.
#[unsafe(no_mangle)]
#[expect(unreachable_pub, reason = "the loader calls it")]
pub unsafe extern "system" fn xrNegotiateLoaderApiLayerInterface(
    loader_info: *const xr::NegotiateLoaderInfo,
    layer_name: *const c_char,
    request: *mut xr::NegotiateApiLayerRequest,
) -> xr::Result {
    // SAFETY: the loader's structures are valid or null during the call.
    let (Some(info), Some(request)) = (unsafe { loader_info.as_ref() }, unsafe { request.as_mut() }) else {
        return xr::Result::ERROR_INITIALIZATION_FAILED;
    };
    let is_known = info.struct_type == xr::NegotiateLoaderInfo::TYPE
        && request.struct_type == xr::NegotiateApiLayerRequest::TYPE
        && (info.min_interface_version..=info.max_interface_version).contains(&INTERFACE_VERSION);
    if !is_known || layer_name.is_null() {
        return xr::Result::ERROR_INITIALIZATION_FAILED;
    }
    // SAFETY: not null, and the loader's names end with 0.
    let name = unsafe { CStr::from_ptr(layer_name) }.to_str();
    let (get, create): (xr::pfn::GetInstanceProcAddr, xr::pfn::CreateApiLayerInstance) = match name {
        Ok(RECORD_LAYER) => (record_hooks::get_instance_proc_addr, create_record_instance),
        Ok(REPLAY_LAYER) => (replay_hooks::get_instance_proc_addr, create_replay_instance),
        _ => return xr::Result::ERROR_INITIALIZATION_FAILED,
    };
    request.layer_interface_version = INTERFACE_VERSION;
    request.layer_api_version = xr::Version::new(1, 0, 0);
    request.get_instance_proc_addr = Some(get);
    request.create_api_layer_instance = Some(create);
    xr::Result::SUCCESS
}
