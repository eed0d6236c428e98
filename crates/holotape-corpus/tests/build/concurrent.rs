//! Builds on several threads: cancelled, failed, and at the same time as another one.

#[cfg(unix)]
use std::cell::RefCell;
use std::collections::HashSet;
#[cfg(unix)]
use std::fs;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(unix)]
use std::sync::{Arc, Barrier};
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::Duration;

#[cfg(unix)]
use holotape::demo::DemoOptions;
use holotape_corpus::{BuildOptions, Dataset, build};

use crate::build::{Corpus, assert_same, go_on};

#[test]
fn cancelled_build_resumes() {
    let mut corpus = Corpus::new();
    (0..150).for_each(|number| corpus.put_content(number, number));
    // One partition after the other, so that the first are complete by then.
    let one_job = BuildOptions::new().with_jobs(NonZeroUsize::new(1));
    let ended = build([corpus.study()], corpus.out("out"), &one_job, |progress| match progress.done {
        ..100 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    assert!(ended.expect_err("cancelled").to_string().contains("the next one resumes"));
    assert!(!Dataset::is_at(corpus.out("out")));
    let (total, calls) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let went_on = build([corpus.study()], corpus.out("out"), &BuildOptions::new(), |progress| {
        total.store(progress.total, Ordering::Relaxed);
        calls.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    let went_on = went_on.expect("built");
    assert!(went_on.written_partition_count < went_on.partition_count, "{went_on:?}");
    let (total, calls) = (total.into_inner(), calls.into_inner());
    assert!(total == calls && total > 0 && total < 150, "{calls} of {total}");
    corpus.build("scratch", &BuildOptions::new());
    assert_same(&corpus.out("out"), &corpus.out("scratch"));
}

/// The first thread waits for the second.
#[test]
fn partitions_are_built_in_parallel() {
    let mut corpus = Corpus::new();
    (0..150).for_each(|number| corpus.put_content(number, number));
    let (threads, arrived) = (Mutex::new(HashSet::new()), Condvar::new());
    let options = BuildOptions::new().with_jobs(NonZeroUsize::new(2));
    let built = build([corpus.study()], corpus.out("out"), &options, |_| {
        let mut threads = threads.lock().expect("not poisoned");
        threads.insert(thread::current().id());
        arrived.notify_all();
        let (threads, wait) = arrived
            .wait_timeout_while(threads, Duration::from_secs(60), |threads| threads.len() < 2)
            .expect("not poisoned");
        drop(threads);
        if wait.timed_out() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(built.is_ok(), "only one thread");
}

/// Signals the end of a thread.
#[cfg(unix)]
struct AtEnd(Arc<(Mutex<bool>, Condvar)>);

#[cfg(unix)]
impl Drop for AtEnd {
    fn drop(&mut self) {
        *self.0.0.lock().expect("not poisoned") = true;
        self.0.1.notify_all();
    }
}

/// One thread loses its output folder; the other, which builds another partition, is cancelled as a consequence. Windows does
/// not remove a folder with open files.
#[cfg(unix)]
#[test]
fn first_error_is_reported_not_its_consequences() {
    thread_local!(static AT_END: RefCell<Option<AtEnd>> = const { RefCell::new(None) });
    let mut corpus = Corpus::new();
    (0..150).for_each(|number| corpus.put_content(number, number));
    // The first partition takes longer, so the second fails first in time.
    let long = DemoOptions::new().with_seconds(20.0).generate().expect("a demo").to_vec().expect("bytes").0;
    corpus.put(0, &long);
    let ended = Arc::new((Mutex::new(false), Condvar::new()));
    let (first, started, both) = (Mutex::new(None), Mutex::new(HashSet::new()), Barrier::new(2));
    let options = BuildOptions::new().with_jobs(NonZeroUsize::new(2));
    let built = build([corpus.study()], corpus.out("out"), &options, |_| {
        let id = thread::current().id();
        let is_first = *first.lock().expect("not poisoned").get_or_insert(id) == id;
        // Both have created their files before the folder is removed.
        if started.lock().expect("not poisoned").insert(id) {
            both.wait();
        }
        if is_first {
            AT_END.with_borrow_mut(|at_end| drop(at_end.get_or_insert_with(|| AtEnd(Arc::clone(&ended))).0.clone()));
            fs::remove_dir_all(corpus.out("out").join(".staging")).ok();
            return ControlFlow::Continue(());
        }
        let is_over = ended.0.lock().expect("not poisoned");
        let wait = ended.1.wait_timeout_while(is_over, Duration::from_secs(60), |is_over| !*is_over);
        if wait.expect("not poisoned").1.timed_out() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let error = built.expect_err("no output folder").to_string();
    assert!(error.contains("no such file"), "{error}");
}

#[test]
fn second_concurrent_build_is_rejected() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    let other = Mutex::new(None);
    let one = build([corpus.study()], corpus.out("out"), &BuildOptions::new(), |_| {
        let rejected = build([corpus.study()], corpus.out("out"), &BuildOptions::new(), go_on);
        *other.lock().expect("not poisoned") = Some(rejected);
        ControlFlow::Continue(())
    });
    assert!(one.is_ok());
    let rejected = other.into_inner().expect("not poisoned").expect("asked").expect_err("rejected");
    assert!(rejected.to_string().contains("another build is running"), "{rejected}");
}
