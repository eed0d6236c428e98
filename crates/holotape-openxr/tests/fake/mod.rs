//! A runtime that is a table of functions in this process, the loader's part in creating an instance, and an application.
//!
//! The layers see what they see under a real loader, but tests decide what the runtime answers, and its calls cost next to
//! nothing. State is global, as it is in the layers: [`Bed`] lets one test run at a time.

#![allow(unsafe_code, reason = "the boundary to C, as in the layers; tests themselves are safe code")]
#![allow(dead_code, unused_imports, reason = "each program uses a part")]

mod app;
mod bed;
mod frames;
mod functions;
mod inputs;
mod pose;
mod runtime;

pub use app::{App, Options, Session};
pub use bed::{Bed, Layers};
pub use frames::SeenFrame;
pub use pose::Rigid;
pub use runtime::{FIRST_NANOS, PERIOD_NANOS, Runtime, Submitted, hand_in_stage, head_in_stage, runtime};

use openxr_sys as xr;

/// The flags of a pose that is valid and tracked.
pub const TRACKED: u64 = 15;

/// A structure of OpenXR that has only its type.
pub fn empty<T>(ty: xr::StructureType) -> T {
    // SAFETY: only used for structures of OpenXR: numbers, handles, pointers and functions that may be missing. Zeros are
    // valid, and the type is the first field.
    unsafe {
        let mut structure: T = std::mem::zeroed();
        (&raw mut structure).cast::<xr::StructureType>().write(ty);
        structure
    }
}

/// Text in an array of a fixed size.
fn fixed<const N: usize>(text: &str) -> [std::ffi::c_char; N] {
    let mut array = [0; N];
    for (to, from) in array.iter_mut().zip(text.bytes()).take(N - 1) {
        *to = from as std::ffi::c_char;
    }
    array
}
