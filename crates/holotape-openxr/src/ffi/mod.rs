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

#[cfg(test)]
mod tests {
    use std::cell::Cell;
    use std::ffi::c_char;

    use xr::Handle as _;

    use super::*;

    /// A runtime without functions.
    unsafe extern "system" fn no_function(
        _: xr::Instance,
        _: *const c_char,
        _: *mut Option<xr::pfn::VoidFunction>,
    ) -> xr::Result {
        xr::Result::ERROR_FUNCTION_UNSUPPORTED
    }

    fn slot() -> InstanceSlot<()> {
        // SAFETY: the function of a runtime, and its instance.
        let next = Arc::new(unsafe { Next::load(no_function, xr::Instance::NULL) });
        let instance = Instance { next, layer: Some(()), is_disabled: AtomicBool::new(false) };
        InstanceSlot(RwLock::new(Some(Arc::new(instance))))
    }

    /// Panics, as a defect of a layer would.
    fn defect() {
        let nothing: &[u8] = &[];
        std::hint::black_box(nothing[std::hint::black_box(1)]);
    }

    #[test]
    fn panic_passes_this_call_and_all_later_ones_on() {
        let (slot, calls) = (slot(), Cell::new(0));
        for _ in 0..3 {
            let answer = |(): &(), _: &Next| {
                calls.set(calls.get() + 1);
                defect();
                xr::Result::SUCCESS
            };
            assert_eq!(slot.call(answer, |_| xr::Result::TIMEOUT_EXPIRED), xr::Result::TIMEOUT_EXPIRED);
        }
        assert_eq!(calls.get(), 1);
    }

    #[test]
    fn panic_while_observing_leaves_the_result() {
        let slot = slot();
        let result = slot.observe(|_| xr::Result::TIMEOUT_EXPIRED, |(), _| defect());
        assert_eq!(result, xr::Result::TIMEOUT_EXPIRED);
        assert_eq!(
            slot.call(|(), _| xr::Result::SUCCESS, |_| xr::Result::TIMEOUT_EXPIRED),
            xr::Result::TIMEOUT_EXPIRED
        );
    }

    #[test]
    fn failed_calls_and_missing_events_are_not_observed() {
        let (slot, calls) = (slot(), Cell::new(0));
        for result in [xr::Result::ERROR_RUNTIME_FAILURE, xr::Result::EVENT_UNAVAILABLE, xr::Result::SUCCESS] {
            assert_eq!(slot.observe(|_| result, |(), _| calls.set(calls.get() + 1)), result);
        }
        assert_eq!(calls.get(), 1);
    }
}
