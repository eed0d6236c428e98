//! Recordings of what people do with their heads, hands and eyes in XR.
//!
//! holotape reads and writes MRTK's *input animation* files, every version and layout of them, and evaluates their
//! curves as Unity does. Open a recording, look at it, sample it, change it, write it:
//!
//! ```standalone_crate
//! use holotape::{Hand, Joint, Recording};
//!
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(&folder)?;
//! # let _ = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?.save("take.bin")?;
//! let mut take = Recording::open("take.bin")?;                    // any version, any layout
//! println!("{} s, {} markers", take.duration_secs(), take.markers.len());
//! let tip = take.hand(Hand::Right).joint(Joint::IndexTip).pose_at(1.25);   // Option<Pose>, normalised
//! println!("right index tip: {tip:?}");
//! let mut sampler = take.sampler();                               // for many times
//! for time in sampler.times_at_rate(60.0) {
//!     let frame = sampler.frame_at(time);                         // one instant of everything
//!     println!("{time:.2} s: {:?}", frame.hand(Hand::Left).map(|hand| hand.pinching));
//! }
//! take.markers.add(2.5, "grabbed the cup");
//! let losses = take.save("out.bin")?;                             // as it came in; atomic
//! assert!(losses.is_empty());                                     // what the format could not hold
//! # std::env::set_current_dir("..")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Or make one from nothing:
//!
//! ```
//! use holotape::{Curve, LinearKey, PoseCurves, Recording};
//!
//! let still = |value| Curve::from_iter([LinearKey::new(0.0, value)]);
//! let mut rising = PoseCurves { position: [0.0, 1.6, 0.0].map(still), rotation: [0.0, 0.0, 0.0, 1.0].map(still) };
//! rising.position[1] = Curve::from_iter([LinearKey::new(0.0, 1.25), LinearKey::new(2.0, 1.75)]);
//! let take = Recording { camera: Some(rising), ..Recording::default() };
//! assert_eq!(take.camera.as_ref().unwrap().pose_at(1.0).unwrap().position, [0.0, 1.5, 0.0]);
//! ```
//!
//! # Where things are
//!
//! - [`Recording`] is the document: plain data that mirrors the file. A recording that is read and written unchanged
//!   gives the same bytes.
//! - [`Curve`] and [`BoolCurve`] are its parts; [`CurveId`] names them: `left.IndexTip.rotation.w`. A pose is there
//!   where all of its seven curves have keys.
//! - [`Sampler`] evaluates everything at a time, to a [`Frame`], or at many times, to [`Samples`].
//! - [`record::Recorder`] makes a recording of frames as they come; [`Player`] plays one: a clock in, frames and
//!   [`Event`]s out.
//! - [`stream`] has frames on their way: as bytes, and over connections that may be lost.
//! - [`mod@optimize`] leaves out keys that nobody would miss, under a bound that holds.
//! - [`edit`] cuts recordings, puts them together and changes them as a whole.
//! - [`mod@check`] says what is wrong with a recording, and mends it.
//! - [`mod@diff`] compares two recordings; [`stats`] says what somebody did, in numbers.
//! - [`Summary`] tells what is in a file without reading its keys; [`format::Index`] where everything is.
//! - [`mod@format`] has versions, layouts and limits. [`Error`] says what is wrong with a file, and where.
//! - [`demo`] makes recordings of synthetic motion, for trying things out.
//!
//! # Conventions
//!
//! Times are seconds from the start of the recording, lengths metres, rotations quaternions x, y, z, w, all in Unity's
//! world space: left-handed, x right, y up, z forward. What is stored is `f32`, as in the file; times that are asked
//! for are `f64`.
//!
//! # Features
//!
//! `json` adds the lossless JSON document (`Recording::write_json_to`, `Recording::from_json_slice`; the module `json`
//! describes it) and makes frames and events serialisable.

#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod atomic;
mod builder;
mod channel;
pub mod check;
mod curve;
pub mod demo;
pub mod diff;
pub mod edit;
mod error;
pub mod format;
mod hand;
mod joint;
#[cfg(feature = "json")]
pub mod json;
mod marker;
pub mod optimize;
mod play;
mod pose;
pub mod record;
mod recording;
mod sample;
pub mod stats;
pub mod stream;
mod summary;
mod tolerance;
mod vector;

pub use builder::{NotAfterLast, RecordingBuilder};
pub use channel::{HandCurves, HandsCurves, PoseCurves, RayCurves};
pub use curve::{
    BezierKey, BoolCurve, BoolEvaluator, Curve, CurveEvaluator, CurveId, Keys, LinearKey, PoseComponent, PoseId,
    RayComponent, WeightedMode, WrapMode,
};
pub use error::{Error, ErrorKind, Location, Result};
pub use hand::{Hand, UnknownName};
pub use joint::Joint;
pub use marker::{Marker, Markers};
pub use play::{Event, EventKind, PlayState, Player};
pub use pose::{Pose, Ray};
pub use recording::{CurveMut, CurveRef, Recording};
pub use sample::{
    Frame, HandFrame, HandSamples, HandSamplesMut, PoseRow, RayRow, Sampler, Samples, SamplesMut, times_at_rate,
};
pub use summary::{BodyPart, BodyPartSummary, CurveSummary, FlagSummary, HandSummary, Summary};
pub use tolerance::Tolerance;
pub use vector::{VectorId, VectorKind, VectorOwner, align_sign, is_sign_flip};
