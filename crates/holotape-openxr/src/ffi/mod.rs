//! All unsafe code: what the loader and applications call, and calls to the next layer or the runtime.
//!
//! The functions here turn pointers into references and slices, and call safe code. They trust the application as the
//! runtime does: OpenXR requires valid pointers, so a null pointer where one is not allowed is passed on unseen, for
//! the runtime to answer.

#![expect(unsafe_code, reason = "the boundary to C; everything else is safe")]

mod chain;
mod create;
mod hooks;
mod negotiate;
mod next;
mod probe;
mod record_hooks;
mod replay_hooks;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock};

use openxr_sys as xr;

pub(crate) use create::Extensions;
pub(crate) use next::{HAND_JOINT_COUNT, HandJoints, Located, Next, tracked_flags};
pub(crate) use probe::probe;

use crate::log;
use crate::record::RecordLayer;
use crate::replay::ReplayLayer;

/// What a function of OpenXR returns: a value, or the code of its failure.
pub(crate) type XrResult<T> = Result<T, xr::Result>;

/// An instance with one of our layers: what is below, and the layer itself unless it could not start.
struct Instance<L> {
    next: Arc<Next>,
    layer: Option<L>,
    /// Set after a panic: from then on, everything is passed to the runtime.
    is_disabled: AtomicBool,
}

/// The loader allows one instance at a time. The two layers share the library, so each has its own.
struct InstanceSlot<L>(RwLock<Option<Arc<Instance<L>>>>);

static RECORD: InstanceSlot<RecordLayer> = InstanceSlot(RwLock::new(None));
static REPLAY: InstanceSlot<ReplayLayer> = InstanceSlot(RwLock::new(None));

impl<L> InstanceSlot<L> {
    fn get(&self) -> Option<Arc<Instance<L>>> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn replace(&self, instance: Option<Arc<Instance<L>>>) {
        let previous = std::mem::replace(&mut *self.0.write().unwrap_or_else(PoisonError::into_inner), instance);
        // Dropped after the lock was released: dropping may wait for a thread.
        drop(previous);
    }

    /// Answers a call with the layer, or passes it on if there is no layer or it panicked.
    fn call(
        &self,
        answer: impl FnOnce(&L, &Next) -> xr::Result,
        pass_on: impl FnOnce(&Next) -> xr::Result,
    ) -> xr::Result {
        let Some(instance) = self.get() else { return xr::Result::ERROR_HANDLE_INVALID };
        let next = &*instance.next;
        let layer = instance.layer.as_ref().filter(|_| !instance.is_disabled.load(Ordering::Relaxed));
        let Some(layer) = layer else { return pass_on(next) };
        if let Ok(result) = catch_unwind(AssertUnwindSafe(|| answer(layer, next))) {
            return result;
        }
        // The panic hook has printed where it happened.
        if !instance.is_disabled.swap(true, Ordering::Relaxed) {
            log::warn("internal error; the layer does nothing from now on");
        }
        pass_on(next)
    }

    /// Passes a call on, then lets the layer see its result. A panic of the layer does not change the result.
    fn observe(&self, pass_on: impl FnOnce(&Next) -> xr::Result, see: impl FnOnce(&L, &Next)) -> xr::Result {
        let mut result = xr::Result::ERROR_HANDLE_INVALID;
        let Some(instance) = self.get() else { return result };
        result = pass_on(&instance.next);
        // Without a new event, the buffer of the application may still have an earlier one.
        if result.into_raw() >= 0 && result != xr::Result::EVENT_UNAVAILABLE {
            let see = |layer: &L, next: &Next| {
                see(layer, next);
                result
            };
            self.call(see, |_| result);
        }
        result
    }
}
