//! A folder for one test, and the part that the loader has in creating an instance.

use std::ffi::{CString, c_char};
use std::fs;
use std::path::PathBuf;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use holotape::Recording;
use holotape_openxr::{RECORD_LAYER, REPLAY_LAYER, RecordConfig, ReplayConfig, Report};
use openxr_sys as xr;
use tempfile::TempDir;
use xr::{Handle as _, pfn};

use super::app::App;
use super::functions::{create_instance, get_instance_proc_addr};
use super::runtime::{Runtime, runtime};
use super::{empty, fixed};

unsafe extern "system" {
    /// What the loader calls, of the library under test.
    fn xrNegotiateLoaderApiLayerInterface(
        loader_info: *const xr::NegotiateLoaderInfo,
        layer_name: *const c_char,
        request: *mut xr::NegotiateApiLayerRequest,
    ) -> xr::Result;
}

/// The extensions that the application of the tests enables.
pub const EXTENSIONS: [&str; 2] = ["XR_EXT_hand_tracking", "XR_EXT_eye_gaze_interaction"];

/// The layers between application and runtime; a recorder is above a replayer.
#[derive(Clone, Copy, Default)]
pub struct Layers<'a> {
    pub record: Option<&'a RecordConfig>,
    pub replay: Option<&'a ReplayConfig>,
}

/// A new runtime and a folder. Layers and runtime have global state, so there is one at a time.
pub struct Bed {
    folder: TempDir,
    _one_at_a_time: MutexGuard<'static, ()>,
}

impl Bed {
    pub fn new() -> Self {
        static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
        let guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
        *runtime() = Runtime::new();
        Self { folder: tempfile::tempdir().expect("a folder"), _one_at_a_time: guard }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// The options of a recording `out.bin`, with reports to `report`.
    pub fn record_config(&self) -> RecordConfig {
        RecordConfig { report: Some(self.path("report")), ..RecordConfig::new(self.path("out.bin")) }
    }

    /// The options of the replay of a recording, with reports to `report`.
    pub fn replay_config(&self, recording: &Recording) -> ReplayConfig {
        let _ = recording.save(self.path("in.bin")).expect("saved");
        ReplayConfig { report: Some(self.path("report")), ..ReplayConfig::new(self.path("in.bin")) }
    }

    pub fn reports(&self) -> Vec<Report> {
        Report::parse(&fs::read_to_string(self.path("report")).unwrap_or_default())
    }

    /// The recording `out.bin`.
    pub fn recorded(&self) -> Recording {
        Recording::open(self.path("out.bin")).expect("a recording")
    }

    /// Starts an application with the usual extensions.
    pub fn start(&self, layers: Layers<'_>) -> App {
        self.start_with(layers, &EXTENSIONS).expect("an instance")
    }

    /// Starts an application, or returns the error of xrCreateInstance.
    pub fn start_with(&self, layers: Layers<'_>, extensions: &[&str]) -> Result<App, xr::Result> {
        let mut names = Vec::new();
        if let Some(config) = layers.record {
            // SAFETY: nothing else reads variables at this time: one bed exists at a time.
            unsafe { std::env::set_var(RecordConfig::VARIABLE, config.to_json()) };
            names.push(RECORD_LAYER);
        }
        if let Some(config) = layers.replay {
            // SAFETY: as above.
            unsafe { std::env::set_var(ReplayConfig::VARIABLE, config.to_json()) };
            names.push(REPLAY_LAYER);
        }
        create(&names, extensions)
    }
}

/// Creates an instance as the loader does: every layer gets the list of what is below it.
fn create(layers: &[&str], extensions: &[&str]) -> Result<App, xr::Result> {
    let mut below: (pfn::GetInstanceProcAddr, pfn::CreateApiLayerInstance) = (get_instance_proc_addr, create_instance);
    let mut list: *mut xr::ApiLayerNextInfo = ptr::null_mut();
    for name in layers.iter().rev() {
        let mut next: xr::ApiLayerNextInfo = empty(xr::StructureType::UNKNOWN);
        next.struct_type = xr::ApiLayerNextInfo::TYPE;
        next.layer_name = fixed(name);
        next.next_get_instance_proc_addr = Some(below.0);
        next.next_create_api_layer_instance = Some(below.1);
        next.next = list;
        // A few hundred bytes per test, which live as long as the layers may read them.
        list = Box::leak(Box::new(next));
        below = negotiate(name);
    }
    let names: Vec<_> = extensions.iter().map(|name| CString::new(*name).expect("no 0")).collect();
    let names: Vec<_> = names.iter().map(|name| name.as_ptr()).collect();
    let mut info: xr::InstanceCreateInfo = empty(xr::InstanceCreateInfo::TYPE);
    info.enabled_extension_count = names.len() as u32;
    info.enabled_extension_names = names.as_ptr();
    let mut layer_info: xr::ApiLayerCreateInfo = empty(xr::StructureType::UNKNOWN);
    layer_info.struct_type = xr::ApiLayerCreateInfo::TYPE;
    layer_info.next_info = list;
    let mut instance = xr::Instance::NULL;
    // SAFETY: all structures live until the call returns.
    let result = unsafe { below.1(&raw const info, &raw const layer_info, &raw mut instance) };
    if result.into_raw() < 0 {
        return Err(result);
    }
    Ok(App::new(below.0, instance, extensions))
}

fn negotiate(layer: &str) -> (pfn::GetInstanceProcAddr, pfn::CreateApiLayerInstance) {
    let info = xr::NegotiateLoaderInfo {
        struct_type: xr::NegotiateLoaderInfo::TYPE,
        struct_version: xr::NegotiateLoaderInfo::VERSION,
        struct_size: size_of::<xr::NegotiateLoaderInfo>(),
        min_interface_version: 1,
        max_interface_version: 1,
        min_api_version: xr::Version::new(1, 0, 0),
        max_api_version: xr::Version::new(1, 1, 0),
    };
    let mut request: xr::NegotiateApiLayerRequest = empty(xr::StructureType::UNKNOWN);
    request.struct_type = xr::NegotiateApiLayerRequest::TYPE;
    let name = CString::new(layer).expect("no 0");
    // SAFETY: valid structures, and a name that ends with 0.
    let result = unsafe { xrNegotiateLoaderApiLayerInterface(&raw const info, name.as_ptr(), &raw mut request) };
    assert_eq!(result, xr::Result::SUCCESS, "{layer}");
    let (get, create) = (request.get_instance_proc_addr, request.create_api_layer_instance);
    (get.expect("a function"), create.expect("a function"))
}
