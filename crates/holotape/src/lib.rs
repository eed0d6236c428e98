//! XR input recordings: head, hand and eye tracking data.
//!
//! holotape reads and writes MRTK's *input animation* files in every version and layout, and evaluates their curves as
//! Unity does. Open a recording, inspect it, sample it, change it, write it:
//!
//! ```standalone_crate
//! use holotape::{Hand, Joint, Recording};
//!
//! # let folder = tempfile::tempdir()?;
//! # std::env::set_current_dir(&folder)?;
//! # let _ = holotape::demo::DemoOptions::new().with_seconds(3.0).generate()?.save("take.bin")?;
//! let mut recording = Recording::open("take.bin")?; // any version, any layout
//! println!("{} s, {} markers", recording.duration_secs(), recording.markers.len());
//! let tip = recording.hand(Hand::Right).joint(Joint::IndexTip).pose_at(1.25); // Option<Pose>, normalized
//! println!("right index tip: {tip:?}");
//! let mut sampler = recording.sampler(); // for many times
//! for time in sampler.times_at_rate(60.0) {
//!     let frame = sampler.frame_at(time); // all values at one time
//!     println!("{time:.2} s: {:?}", frame.hand(Hand::Left).map(|hand| hand.pinching));
//! }
//! recording.markers.add(2.5, "grabbed the cup");
//! let losses = recording.save("out.bin")?; // in its format; atomic
//! assert!(losses.is_empty()); // what the format cannot represent
//! # std::env::set_current_dir("..")?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Or create one:
//!
//! ```
//! use holotape::{Curve, LinearKey, PoseCurves, Recording};
//!
//! let still = |value| Curve::from_iter([LinearKey::new(0.0, value)]);
//! let mut rising = PoseCurves { position: [0.0, 1.6, 0.0].map(still), rotation: [0.0, 0.0, 0.0, 1.0].map(still) };
//! rising.position[1] = Curve::from_iter([LinearKey::new(0.0, 1.25), LinearKey::new(2.0, 1.75)]);
//! let recording = Recording { camera: Some(rising), ..Recording::default() };
//! assert_eq!(recording.camera.as_ref().unwrap().pose_at(1.0).unwrap().position, [0.0, 1.5, 0.0]);
//! ```
//!
//! # Where things are
//!
//! - [`Recording`] is the document: plain data that mirrors the file. Reading and writing a recording unchanged gives
//!   the same bytes.
//! - [`Curve`] and [`BoolCurve`] hold the keys; [`CurveId`] names them: `left.IndexTip.rotation.w`. A pose exists if
//!   all of its seven curves have keys.
//! - [`Skeleton`] has the joints of other systems: names, order and axes. [`Space`] converts coordinates.
//! - [`Sampler`] evaluates all curves at one time, to a [`Frame`], or at many times, to [`Samples`].
//! - [`record::Recorder`] records frames; [`RecordingBuilder`] builds a recording from values that exist already.
//!   [`Player`] plays a recording: a clock in, frames and [`Event`]s out.
//! - `stream` (feature `stream`) encodes frames for a network and implements the server side of the recording protocol.
//! - [`mod@optimize`] removes keys within a tolerance.
//! - [`edit`] trims, joins and transforms recordings.
//! - [`mod@check`] finds problems in a recording and repairs them.
//! - [`mod@diff`] compares two recordings; [`stats`] computes movement, pinch and gaze statistics.
//! - [`Summary`] lists the contents of a file without reading its keys; [`format::Index`] locates its curves.
//! - [`mod@format`] has versions, layouts and limits. [`Error`] has the kind and the location of a failure.
//! - `demo` (feature `demo`) generates synthetic motion.
//!
//! # Conventions
//!
//! Times are seconds from the start of the recording, lengths metres, rotations quaternions x, y, z, w, all in Unity's
//! world space: left-handed, x right, y up, z forward. Stored values are `f32`, as in the file; requested times are
//! `f64`.
//!
//! # Features
//!
//! `demo` adds the module `demo`, which generates synthetic motion.
//!
//! `json` adds the lossless JSON document (`Recording::write_json_to`, `Recording::from_json_slice`; the module `json`
//! describes it) and makes frames and events serializable.
//!
//! `stream` adds the module `stream` and enables `json`.

#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]
#![warn(unreachable_pub, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[macro_use]
mod macros;

pub mod atomic;
mod builder;
mod channel;
pub mod check;
mod curve;
#[cfg(feature = "demo")]
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
#[doc(hidden)]
pub mod parallel;
#[doc(hidden)]
pub mod paths;
mod play;
mod pose;
pub mod record;
mod recording;
mod rename;
mod sample;
mod skeleton;
mod space;
pub mod stats;
#[cfg(feature = "stream")]
pub mod stream;
mod summary;
#[doc(hidden)]
pub mod text;
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
    Frame, FrameLimit, HandFrame, HandSamples, HandSamplesMut, PoseRow, RayRow, Sampler, Samples, SamplesMut,
    WindowSampler, WindowedRecording, check_rate_hz, times_at_rate,
};
pub use skeleton::{JointAxes, Skeleton, construct_missing, palm_pose, rotations_from_positions};
pub use space::Space;
pub use summary::{BodyPart, BodyPartSummary, CurveSummary, FlagSummary, HandSummary, Summary};
pub use tolerance::Tolerance;
pub use vector::{VectorId, VectorKey, VectorKind, VectorOwner, align_sign, is_sign_flip, vector_keys};

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
