//! Asks loader and runtime what they have, as an application would.

use std::ffi::OsStr;
use std::ptr;

use openxr_sys as xr;
use xr::{Handle as _, pfn};

use super::next::{Next, call, check, extensions_of_the_runtime, find, fixed, text_of};
use crate::Probe;

/// The extensions whose support the system reports.
const REPORTED: [&str; 2] = ["XR_EXT_hand_tracking", "XR_EXT_eye_gaze_interaction"];

/// Loads a loader, creates an instance and describes the runtime.
pub(crate) fn probe(loader: &OsStr) -> Result<Probe, String> {
    // SAFETY: loading a library runs its initializers; a loader of OpenXR is meant to be loaded by any program.
    let library = unsafe { libloading::Library::new(loader) }.map_err(|error| cause(&error))?;
    // SAFETY: the loader exports this function with this type.
    let get = unsafe { library.get::<pfn::GetInstanceProcAddr>(b"xrGetInstanceProcAddr\0") };
    let get = *get.map_err(|error| cause(&error))?;
    // SAFETY: the function of the loader, which stays loaded until the end of this function.
    let extensions = unsafe { extensions_of_the_runtime(get) };
    if extensions.is_empty() {
        return Err("the loader finds no runtime; XR_LOADER_DEBUG=all shows where it looks".to_owned());
    }
    // SAFETY: as above.
    let next = unsafe { create_instance(get, &extensions) }
        .map_err(|code| format!("the runtime does not start: {code:?}. Is its service running?"))?;
    let (runtime, system) = (next.runtime(), next.system(&extensions));
    next.destroy();
    let (runtime, runtime_version) = runtime.map_err(|code| format!("the runtime answers {code:?}"))?;
    let (system, [hand_tracking, eye_gaze]) = match system {
        Ok((name, supports)) => (Some(name), supports),
        Err(_) => (None, [None; 2]),
    };
    let extensions = extensions.into_iter().collect();
    Ok(Probe { runtime, runtime_version, extensions, system, hand_tracking, eye_gaze })
}

/// # Safety
/// `get` is the function of a loader that is loaded.
unsafe fn create_instance(
    get: pfn::GetInstanceProcAddr,
    extensions: &std::collections::BTreeSet<String>,
) -> super::XrResult<Next> {
    // SAFETY: as the caller guarantees; the function has the type of its name.
    let create = unsafe {
        find(get, xr::Instance::NULL, "xrCreateInstance")
            .map(|function| std::mem::transmute::<pfn::VoidFunction, pfn::CreateInstance>(function))
    };
    let create = create.ok_or(xr::Result::ERROR_FUNCTION_UNSUPPORTED)?;
    let wanted = REPORTED.iter().filter(|name| extensions.contains(**name));
    let wanted: Vec<_> = wanted.filter_map(|name| std::ffi::CString::new(*name).ok()).collect();
    let names: Vec<_> = wanted.iter().map(|name| name.as_ptr()).collect();
    let info = xr::InstanceCreateInfo {
        ty: xr::InstanceCreateInfo::TYPE,
        next: ptr::null(),
        create_flags: xr::InstanceCreateFlags::EMPTY,
        application_info: xr::ApplicationInfo {
            application_name: fixed("holotape"),
            application_version: 1,
            engine_name: fixed("holotape"),
            engine_version: 1,
            api_version: xr::Version::new(1, 0, 0),
        },
        enabled_api_layer_count: 0,
        enabled_api_layer_names: ptr::null(),
        enabled_extension_count: names.len() as u32,
        enabled_extension_names: names.as_ptr(),
    };
    let mut instance = xr::Instance::NULL;
    // SAFETY: the structure and its lists live during the call.
    check(unsafe { create(&raw const info, &raw mut instance) })?;
    // SAFETY: `get` is the loader's, and the instance was created by it.
    Ok(unsafe { Next::load(get, instance) })
}

impl Next {
    fn runtime(&self) -> super::XrResult<(String, String)> {
        let mut properties = xr::InstanceProperties {
            ty: xr::InstanceProperties::TYPE,
            next: ptr::null_mut(),
            runtime_version: xr::Version::new(0, 0, 0),
            runtime_name: [0; xr::MAX_RUNTIME_NAME_SIZE],
        };
        check(call!(self, get_instance_properties(self.instance, &raw mut properties)))?;
        let version = properties.runtime_version;
        let version = format!("{}.{}.{}", version.major(), version.minor(), version.patch());
        Ok((text_of(&properties.runtime_name), version))
    }

    /// The name of the headset, and whether it has hand tracking and eye gaze; `None` if the extension is missing.
    fn system(&self, extensions: &std::collections::BTreeSet<String>) -> super::XrResult<(String, [Option<bool>; 2])> {
        let info = xr::SystemGetInfo {
            ty: xr::SystemGetInfo::TYPE,
            next: ptr::null(),
            form_factor: xr::FormFactor::HEAD_MOUNTED_DISPLAY,
        };
        let mut id = xr::SystemId::NULL;
        check(call!(self, get_system(self.instance, &raw const info, &raw mut id)))?;
        let mut eyes = xr::SystemEyeGazeInteractionPropertiesEXT {
            ty: xr::SystemEyeGazeInteractionPropertiesEXT::TYPE,
            next: ptr::null_mut(),
            supports_eye_gaze_interaction: xr::FALSE,
        };
        let has = REPORTED.map(|name| extensions.contains(name));
        let mut hands = xr::SystemHandTrackingPropertiesEXT {
            ty: xr::SystemHandTrackingPropertiesEXT::TYPE,
            // A structure may be chained only if its extension is enabled.
            next: if has[1] { (&raw mut eyes).cast() } else { ptr::null_mut() },
            supports_hand_tracking: xr::FALSE,
        };
        let chain = if has[0] { (&raw mut hands).cast() } else { hands.next };
        let mut properties = xr::SystemProperties {
            ty: xr::SystemProperties::TYPE,
            next: chain,
            system_id: id,
            vendor_id: 0,
            system_name: [0; xr::MAX_SYSTEM_NAME_SIZE],
            graphics_properties: xr::SystemGraphicsProperties::default(),
            tracking_properties: xr::SystemTrackingProperties::default(),
        };
        check(call!(self, get_system_properties(self.instance, id, &raw mut properties)))?;
        let supports = [
            has[0].then(|| hands.supports_hand_tracking.into()),
            has[1].then(|| eyes.supports_eye_gaze_interaction.into()),
        ];
        Ok((text_of(&properties.system_name), supports))
    }

    fn destroy(&self) {
        let _ = call!(self, destroy_instance(self.instance));
    }
}

/// The message of the system, if there is one.
fn cause(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}
