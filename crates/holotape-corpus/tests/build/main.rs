//! Builds of datasets: independent of earlier builds, and without effect on other files.

#[cfg(unix)]
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
#[cfg(unix)]
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Condvar, Mutex};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use holotape::demo::DemoOptions;
use holotape_corpus::{BuildOptions, BuildReport, Dataset, Progress, Table, build};
use tempfile::{TempDir, tempdir};

/// Recordings in a folder, with artificial modification times, so that two quick changes differ.
struct Corpus {
    folder: TempDir,
    contents: Vec<Vec<u8>>,
    clock_secs: u64,
}

impl Corpus {
    fn new() -> Self {
        let content = |seed| {
            let recording =
                DemoOptions::new().with_seed(seed).with_seconds(0.05).with_rate_hz(60.0).generate().expect("a demo");
            recording.to_vec().expect("bytes").0
        };
        let folder = tempdir().expect("a folder");
        fs::create_dir(folder.path().join("study")).expect("a folder");
        Self { folder, contents: (0..8).map(content).collect(), clock_secs: 1_000_000_000 }
    }

    fn study(&self) -> PathBuf {
        self.folder.path().join("study")
    }

    fn path(&self, number: u64) -> PathBuf {
        self.study().join(format!("p{:02}", number % 7)).join(format!("r-{number:04}.bin"))
    }

    /// Writes a recording, with a new modification time.
    fn put(&mut self, number: u64, bytes: &[u8]) {
        let path = self.path(number);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).expect("written");
        self.clock_secs += 1;
        set_time(&path, self.clock_secs);
    }

    fn put_content(&mut self, number: u64, content: u64) {
        let bytes = self.contents[content as usize % self.contents.len()].clone();
        self.put(number, &bytes);
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    #[track_caller]
    fn build(&self, out: &str, options: &BuildOptions) -> BuildReport {
        build([self.study()], self.out(out), options, go_on).expect("built")
    }
}

fn go_on(_: Progress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn set_time(path: &Path, secs: u64) {
    let file = File::options().write(true).open(path).expect("there");
    file.set_modified(UNIX_EPOCH + Duration::from_secs(secs)).expect("set");
}

/// All files of a dataset, by path; the lock is empty.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).expect("a folder") {
            let path = entry.expect("readable").path();
            match path.is_dir() {
                true => folders.push(path),
                false => drop(
                    files.insert(path.strip_prefix(folder).expect("below").to_owned(), fs::read(&path).expect("there")),
                ),
            }
        }
    }
    files
}

#[track_caller]
fn assert_same(one: &Path, other: &Path) {
    let (one, other) = (files(one), files(other));
    assert_eq!(one.keys().collect::<Vec<_>>(), other.keys().collect::<Vec<_>>());
    for (path, bytes) in &one {
        assert!(other[path] == *bytes, "{} differs", path.display());
    }
}

/// Pseudo-random numbers from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, max: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % max
    }
}

#[test]
fn incremental_build_equals_full_build() {
    for seed in 1..=3 {
        let mut random = Random(seed);
        let mut corpus = Corpus::new();
        let mut existing = BTreeSet::new();
        for number in (0..150).filter(|number| number % 3 != 0) {
            corpus.put_content(number, random.below(8));
            existing.insert(number);
        }
        for round in 0..4 {
            for _ in 0..random.below(6) {
                let number = random.below(150);
                match random.below(5) {
                    0 if existing.len() > 50 && existing.remove(&number) => {
                        fs::remove_file(corpus.path(number)).expect("removed")
                    }
                    1 => {
                        let half = corpus.contents[0].len() / 2;
                        let cut = corpus.contents[0][..half].to_vec();
                        corpus.put(number, &cut);
                        existing.insert(number);
                    }
                    // Possibly the same contents with another time.
                    _ => {
                        corpus.put_content(number, random.below(8));
                        existing.insert(number);
                    }
                }
            }
            let report = corpus.build("grown", &BuildOptions::new());
            assert_eq!(report.recording_count, existing.len());
            let scratch = format!("scratch-{round}");
            corpus.build(&scratch, &BuildOptions::new());
            assert_same(&corpus.out("grown"), &corpus.out(&scratch));
        }
    }
}

#[test]
fn changed_recording_rebuilds_one_partition() {
    let mut corpus = Corpus::new();
    (0..200).for_each(|number| corpus.put_content(number, number));
    let first = corpus.build("out", &BuildOptions::new());
    assert!(first.partition_count > 3 && first.written_partition_count == first.partition_count, "{first:?}");
    assert_eq!((first.recording_count, first.changed_recording_count, first.removed_recording_count), (200, 200, 0));

    let again = corpus.build("out", &BuildOptions::new());
    assert_eq!((again.written_partition_count, again.changed_recording_count), (0, 0));

    corpus.put_content(77, 78);
    let changed = corpus.build("out", &BuildOptions::new());
    assert_eq!((changed.written_partition_count, changed.changed_recording_count, changed.rows), (1, 1, first.rows));

    fs::remove_file(corpus.path(78)).expect("removed");
    let removed = corpus.build("out", &BuildOptions::new());
    assert!(removed.written_partition_count <= 2, "{removed:?}");
    assert_eq!(
        (removed.recording_count, removed.changed_recording_count, removed.removed_recording_count),
        (199, 0, 1)
    );
}

#[test]
fn changes_are_detected_by_size_and_time_unless_verified() {
    let mut corpus = Corpus::new();
    (0..40).for_each(|number| corpus.put_content(number, number));
    corpus.build("out", &BuildOptions::new());
    // Other contents with the same size and time.
    let path = corpus.path(5);
    let mut bytes = fs::read(&path).expect("there");
    let time = fs::metadata(&path).expect("there").modified().expect("a time");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&path, bytes).expect("written");
    File::options().write(true).open(&path).expect("there").set_modified(time).expect("set");
    assert_eq!(corpus.build("out", &BuildOptions::new()).written_partition_count, 0);
    let verified = corpus.build("out", &BuildOptions::new().with_verify(true));
    assert_eq!((verified.written_partition_count, verified.changed_recording_count), (1, 1));
    // A touched file is read once and found unchanged; its new time is stored.
    set_time(&path, 1_500_000_000);
    assert_eq!(corpus.build("out", &BuildOptions::new()).written_partition_count, 0);
    let number = Dataset::open(corpus.out("out"))
        .expect("a dataset")
        .recordings()
        .find(|it| it.path.ends_with("r-0005.bin"))
        .cloned();
    assert_eq!(number.expect("there").modified_ns, Some(1_500_000_000_000_000_000));
}

#[test]
fn recently_written_recording_is_read_again() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    corpus.put_content(2, 2);
    // A current time: the next change can have the same one.
    let bytes = corpus.contents[3].clone();
    fs::write(corpus.path(1), &bytes).expect("written");
    let time = fs::metadata(corpus.path(1)).expect("there").modified().expect("a time");
    corpus.build("out", &BuildOptions::new());
    let mut other = bytes;
    let last = other.len() - 1;
    other[last] ^= 1;
    fs::write(corpus.path(1), other).expect("written");
    File::options().write(true).open(corpus.path(1)).expect("there").set_modified(time).expect("set");
    assert_eq!(corpus.build("out", &BuildOptions::new()).changed_recording_count, 1);
}

#[test]
fn broken_recordings_do_not_stop_the_build() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    let cut = corpus.contents[0][..1000].to_vec();
    corpus.put(2, &cut);
    corpus.put(3, b"GIF89a, not hands");
    corpus.put(4, b"");
    let folder = corpus.path(1).parent().expect("a folder").to_owned();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere.bin", folder.join("vanished.bin")).expect("linked");
        let made = std::process::Command::new("mkfifo").arg(folder.join("pipe.bin")).status().expect("mkfifo");
        assert!(made.success());
    }
    let report = corpus.build("out", &BuildOptions::new());
    let errors: BTreeMap<_, _> = report.broken.iter().map(|it| (it.recording.as_str(), it.message.as_str())).collect();
    assert!(errors["p02/r-0002.bin"].contains("truncated file"), "{errors:?}");
    assert!(errors["p03/r-0003.bin"].contains("not an input animation"), "{errors:?}");
    assert!(errors["p04/r-0004.bin"].contains("empty"), "{errors:?}");
    if cfg!(unix) {
        assert!(errors["p01/vanished.bin"].contains("no such file"), "{errors:?}");
        assert_eq!(errors["p01/pipe.bin"], "not a regular file");
    }
    assert_eq!(report.recording_count, errors.len() + 1);
    assert_eq!((report.rows.recordings, report.rows.frames), (report.recording_count as u64, 4));
    // Unreadable files are unchanged as well.
    assert_eq!(corpus.build("out", &BuildOptions::new()).written_partition_count, 0);
    #[cfg(unix)]
    {
        fs::copy(corpus.path(1), folder.join("nowhere.bin")).expect("copied");
        let repaired = corpus.build("out", &BuildOptions::new());
        assert!(repaired.written_partition_count > 0 && repaired.broken.len() < report.broken.len(), "{repaired:?}");
    }
}

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

/// One thread loses its output folder; the other, which builds another partition, is cancelled as a consequence.
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
fn other_options_rebuild_the_dataset() {
    let mut corpus = Corpus::new();
    (0..5).for_each(|number| corpus.put_content(number, number));
    let first = corpus.build("out", &BuildOptions::new());
    assert_eq!(first.rebuild_reason, None);
    let with_keys = corpus.build("out", &BuildOptions::new().with_keys(true));
    assert!(with_keys.rebuild_reason.expect("a reason").contains("the table keys is added"));
    assert!(with_keys.rows.keys.expect("keys") > 0);
    assert_eq!(
        Dataset::open(corpus.out("out")).expect("a dataset").files(Table::Keys).expect("files").len(),
        with_keys.partition_count
    );
    let slow = corpus.build("out", &BuildOptions::new().with_rate_hz(20.0));
    assert!(slow.rebuild_reason.expect("a reason").contains("from 60 to 20 Hz"));
    assert_eq!(slow.rows.frames, 10);
    corpus.build("scratch", &BuildOptions::new().with_rate_hz(20.0));
    assert_same(&corpus.out("out"), &corpus.out("scratch"));
    assert!(build([corpus.study()], corpus.out("out"), &BuildOptions::new().with_rate_hz(f64::NAN), go_on).is_err());
}

#[test]
fn other_files_are_not_touched() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    let rejected =
        |out: &Path| build([corpus.study()], out, &BuildOptions::new(), go_on).expect_err("rejected").to_string();
    let foreign = corpus.out("foreign");
    fs::create_dir_all(foreign.join("frames")).expect("made");
    fs::write(foreign.join("frames/part-0123456789abcdef0123456789abcdef.parquet"), "mine").expect("written");
    let before = files(&foreign);
    assert!(rejected(&foreign).contains("not a dataset"));
    fs::write(foreign.join("dataset.json"), "{\"name\": \"mine\"}").expect("written");
    assert!(rejected(&foreign).contains("dataset.json"));
    fs::remove_file(foreign.join("dataset.json")).expect("there");
    assert_eq!(files(&foreign), before);
    assert!(rejected(&corpus.path(1)).contains("it must be the folder"));

    let out = corpus.out("out");
    corpus.build("out", &BuildOptions::new());
    for mine in ["notes.txt", "frames/notes.txt", "frames/mine.parquet"] {
        fs::write(out.join(mine), "mine").expect("written");
    }
    fs::remove_file(corpus.path(1)).expect("removed");
    corpus.put_content(2, 2);
    corpus.build("out", &BuildOptions::new());
    for mine in ["notes.txt", "frames/notes.txt", "frames/mine.parquet"] {
        assert_eq!(fs::read(out.join(mine)).expect("left alone"), b"mine");
    }
    assert_eq!(files(&out).keys().filter(|path| path.starts_with("frames")).count(), 3);
}

#[test]
fn dataset_of_a_newer_version_is_not_changed() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    corpus.build("out", &BuildOptions::new());
    let path = corpus.out("out").join("dataset.json");
    let text = fs::read_to_string(&path).expect("there");
    fs::write(&path, text.replace("\"schema_version\": ", "\"schema_version\": 9")).expect("written");
    let rejected = build([corpus.study()], corpus.out("out"), &BuildOptions::new(), go_on).expect_err("rejected");
    assert!(rejected.to_string().contains("a newer version of holotape"), "{rejected}");
    assert!(
        Dataset::open(corpus.out("out")).expect_err("rejected").to_string().contains("a newer version of holotape")
    );
    fs::write(&path, &text[..text.len() / 2]).expect("written");
    let rejected = build([corpus.study()], corpus.out("out"), &BuildOptions::new(), go_on).expect_err("rejected");
    assert!(rejected.to_string().contains("remove it"), "{rejected}");
    fs::remove_file(&path).expect("removed");
    corpus.build("out", &BuildOptions::new());
    assert_eq!(fs::read_to_string(&path).expect("there"), text);
}

/// Another release may read the same recordings differently.
#[test]
fn dataset_of_another_release_is_rebuilt() {
    let mut corpus = Corpus::new();
    (0..5).for_each(|number| corpus.put_content(number, number));
    let first = corpus.build("out", &BuildOptions::new());
    let path = corpus.out("out").join("dataset.json");
    let text = fs::read_to_string(&path).expect("there");
    let line = format!("  \"holotape_version\": \"{}\",\n", env!("CARGO_PKG_VERSION"));
    for other in ["  \"holotape_version\": \"0.0.1\",\n", ""] {
        fs::write(&path, text.replace(&line, other)).expect("written");
        let rebuilt = corpus.build("out", &BuildOptions::new());
        assert_eq!(rebuilt.written_partition_count, first.partition_count);
        assert!(rebuilt.rebuild_reason.expect("a reason").contains("another version of holotape"));
        assert_eq!(fs::read_to_string(&path).expect("there"), text);
    }
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

#[test]
fn build_ignores_its_own_output_and_does_not_empty_a_dataset() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    // The dataset is inside of the study.
    let out = corpus.study().join("dataset");
    let made = || build([corpus.study()], &out, &BuildOptions::new(), go_on).expect("built");
    assert_eq!((made().recording_count, made().recording_count), (1, 1));
    fs::remove_file(corpus.path(1)).expect("removed");
    let rejected = build([corpus.study()], &out, &BuildOptions::new(), go_on).expect_err("rejected");
    assert!(rejected.to_string().contains("no recordings"), "{rejected}");
    assert_eq!(Dataset::open(&out).expect("still there").rows(Table::Recordings), 1);
}
