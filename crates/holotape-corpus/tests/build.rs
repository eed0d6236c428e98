//! Datasets: the same files whatever was built before, and nothing of anybody else's touched.

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
use std::sync::{Condvar, Mutex};
use std::thread;
use std::time::{Duration, UNIX_EPOCH};

use holotape::demo::DemoOptions;
use holotape_corpus::{BuildOptions, BuildReport, Dataset, Progress, Table, build};
use tempfile::{TempDir, tempdir};

/// Takes in a folder, whose times are told by a clock of our own: two changes within a tick of the system's are two times.
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
        fs::create_dir(folder.path().join("takes")).expect("a folder");
        Self { folder, contents: (0..8).map(content).collect(), clock_secs: 1_000_000_000 }
    }

    fn takes(&self) -> PathBuf {
        self.folder.path().join("takes")
    }

    fn path(&self, take: u64) -> PathBuf {
        self.takes().join(format!("p{:02}", take % 7)).join(format!("take-{take:04}.bin"))
    }

    /// Writes a take, at another time than any before.
    fn put(&mut self, take: u64, bytes: &[u8]) {
        let path = self.path(take);
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, bytes).expect("written");
        self.clock_secs += 1;
        set_time(&path, self.clock_secs);
    }

    fn put_content(&mut self, take: u64, content: u64) {
        let bytes = self.contents[content as usize % self.contents.len()].clone();
        self.put(take, &bytes);
    }

    fn out(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    #[track_caller]
    fn build(&self, out: &str, options: &BuildOptions) -> BuildReport {
        build([self.takes()], self.out(out), options, go_on).expect("built")
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

/// Numbers that look random, from a seed.
struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }
}

#[test]
fn what_was_built_before_does_not_matter() {
    for seed in 1..=3 {
        let mut random = Random(seed);
        let mut corpus = Corpus::new();
        let mut there = BTreeSet::new();
        for take in (0..150).filter(|take| take % 3 != 0) {
            corpus.put_content(take, random.below(8));
            there.insert(take);
        }
        for round in 0..4 {
            for _ in 0..random.below(6) {
                let take = random.below(150);
                match random.below(5) {
                    0 if there.len() > 50 && there.remove(&take) => {
                        fs::remove_file(corpus.path(take)).expect("removed")
                    }
                    1 => {
                        let half = corpus.contents[0].len() / 2;
                        let cut = corpus.contents[0][..half].to_vec();
                        corpus.put(take, &cut);
                        there.insert(take);
                    }
                    // Perhaps what it was before, with another time.
                    _ => {
                        corpus.put_content(take, random.below(8));
                        there.insert(take);
                    }
                }
            }
            let report = corpus.build("grown", &BuildOptions::new());
            assert_eq!(report.takes, there.len());
            let scratch = format!("scratch-{round}");
            corpus.build(&scratch, &BuildOptions::new());
            assert_same(&corpus.out("grown"), &corpus.out(&scratch));
        }
    }
}

#[test]
fn one_take_makes_one_part_anew() {
    let mut corpus = Corpus::new();
    (0..200).for_each(|take| corpus.put_content(take, take));
    let first = corpus.build("out", &BuildOptions::new());
    assert!(first.parts > 3 && first.written_partition_count == first.parts, "{first:?}");
    assert_eq!((first.takes, first.changed_recording_count, first.removed_recording_count), (200, 200, 0));

    let again = corpus.build("out", &BuildOptions::new());
    assert_eq!((again.written_partition_count, again.changed_recording_count), (0, 0));

    corpus.put_content(77, 78);
    let changed = corpus.build("out", &BuildOptions::new());
    assert_eq!((changed.written_partition_count, changed.changed_recording_count, changed.rows), (1, 1, first.rows));

    fs::remove_file(corpus.path(78)).expect("removed");
    let removed = corpus.build("out", &BuildOptions::new());
    assert!(removed.written_partition_count <= 2, "{removed:?}");
    assert_eq!((removed.takes, removed.changed_recording_count, removed.removed_recording_count), (199, 0, 1));
}

#[test]
fn size_and_time_are_believed_unless_told_otherwise() {
    let mut corpus = Corpus::new();
    (0..40).for_each(|take| corpus.put_content(take, take));
    corpus.build("out", &BuildOptions::new());
    // Another content that nobody could tell without reading.
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
    // A file that was only touched is read, and is what it was; the next build need not read it.
    set_time(&path, 1_500_000_000);
    assert_eq!(corpus.build("out", &BuildOptions::new()).written_partition_count, 0);
    let take = Dataset::open(corpus.out("out"))
        .expect("a dataset")
        .takes()
        .find(|it| it.path.ends_with("take-0005.bin"))
        .cloned();
    assert_eq!(take.expect("there").modified_ns, Some(1_500_000_000_000_000_000));
}

#[test]
fn a_take_that_was_just_written_is_read_again() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    corpus.put_content(2, 2);
    // Now: another change could come within the same tick.
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
fn broken_takes_stop_nothing() {
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
    let errors: BTreeMap<_, _> = report.broken.iter().map(|it| (it.take.as_str(), it.error.as_str())).collect();
    assert!(errors["p02/take-0002.bin"].contains("ends too early"), "{errors:?}");
    assert!(errors["p03/take-0003.bin"].contains("not an input animation"), "{errors:?}");
    assert!(errors["p04/take-0004.bin"].contains("empty"), "{errors:?}");
    if cfg!(unix) {
        assert!(errors["p01/vanished.bin"].contains("No such file"), "{errors:?}");
        assert_eq!(errors["p01/pipe.bin"], "this is not a file");
    }
    assert_eq!(report.takes, errors.len() + 1);
    assert_eq!((report.rows.recordings, report.rows.frames), (report.takes as u64, 4));
    // What cannot be read is what it was, too.
    assert_eq!(corpus.build("out", &BuildOptions::new()).written_partition_count, 0);
    #[cfg(unix)]
    {
        fs::copy(corpus.path(1), folder.join("nowhere.bin")).expect("copied");
        let mended = corpus.build("out", &BuildOptions::new());
        assert!(mended.written_partition_count > 0 && mended.broken.len() < report.broken.len(), "{mended:?}");
    }
}

#[test]
fn a_build_that_is_ended_goes_on_where_it_was() {
    let mut corpus = Corpus::new();
    (0..150).for_each(|take| corpus.put_content(take, take));
    // One part after the other, so that the first are finished by then.
    let one_job = BuildOptions::new().with_jobs(NonZeroUsize::new(1));
    let ended = build([corpus.takes()], corpus.out("out"), &one_job, |progress| match progress.done {
        ..100 => ControlFlow::Continue(()),
        _ => ControlFlow::Break(()),
    });
    assert!(ended.expect_err("ended").to_string().contains("goes on from here"));
    assert!(!Dataset::is_at(corpus.out("out")));
    let (total, told) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let went_on = build([corpus.takes()], corpus.out("out"), &BuildOptions::new(), |progress| {
        total.store(progress.total, Ordering::Relaxed);
        told.fetch_add(1, Ordering::Relaxed);
        ControlFlow::Continue(())
    });
    let went_on = went_on.expect("built");
    assert!(went_on.written_partition_count < went_on.parts, "{went_on:?}");
    let (total, told) = (total.into_inner(), told.into_inner());
    assert!(total == told && total > 0 && total < 150, "{told} of {total}");
    corpus.build("scratch", &BuildOptions::new());
    assert_same(&corpus.out("out"), &corpus.out("scratch"));
}

/// Two threads are at work at the same moment: the first waits for the second.
#[test]
fn parts_are_made_at_once() {
    let mut corpus = Corpus::new();
    (0..150).for_each(|take| corpus.put_content(take, take));
    let (threads, came) = (Mutex::new(HashSet::new()), Condvar::new());
    let options = BuildOptions::new().with_jobs(NonZeroUsize::new(2));
    let built = build([corpus.takes()], corpus.out("out"), &options, |_| {
        let mut threads = threads.lock().expect("held by nobody");
        threads.insert(thread::current().id());
        came.notify_all();
        let (threads, wait) = came
            .wait_timeout_while(threads, Duration::from_secs(60), |threads| threads.len() < 2)
            .expect("held by nobody");
        drop(threads);
        if wait.timed_out() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(built.is_ok(), "nobody else came");
}

/// Says that a thread has ended.
#[cfg(unix)]
struct AtEnd(Arc<(Mutex<bool>, Condvar)>);

#[cfg(unix)]
impl Drop for AtEnd {
    fn drop(&mut self) {
        *self.0.0.lock().expect("held by nobody") = true;
        self.0.1.notify_all();
    }
}

/// One thread loses the folder that it writes to; the other, which is at work on another part, ends after it and because of it.
#[cfg(unix)]
#[test]
fn the_reason_of_a_failure_is_told_and_not_what_came_of_it() {
    thread_local!(static AT_END: RefCell<Option<AtEnd>> = const { RefCell::new(None) });
    let mut corpus = Corpus::new();
    (0..150).for_each(|take| corpus.put_content(take, take));
    // The first part takes longer than the second, whose failure then comes first in time, and second in the order of parts.
    let long = DemoOptions::new().with_seconds(20.0).generate().expect("a demo").to_vec().expect("bytes").0;
    corpus.put(0, &long);
    let ended = Arc::new((Mutex::new(false), Condvar::new()));
    let first = Mutex::new(None);
    let options = BuildOptions::new().with_jobs(NonZeroUsize::new(2));
    let built = build([corpus.takes()], corpus.out("out"), &options, |_| {
        let id = thread::current().id();
        if *first.lock().expect("held by nobody").get_or_insert(id) == id {
            AT_END.with_borrow_mut(|at_end| drop(at_end.get_or_insert_with(|| AtEnd(Arc::clone(&ended))).0.clone()));
            fs::remove_dir_all(corpus.out("out").join(".unfinished")).ok();
            return ControlFlow::Continue(());
        }
        let is_over = ended.0.lock().expect("held by nobody");
        let wait = ended.1.wait_timeout_while(is_over, Duration::from_secs(60), |is_over| !*is_over);
        if wait.expect("held by nobody").1.timed_out() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let error = built.expect_err("its folder is gone").to_string();
    assert!(error.contains("No such file"), "{error}");
}

#[test]
fn other_options_make_all_of_it_anew() {
    let mut corpus = Corpus::new();
    (0..5).for_each(|take| corpus.put_content(take, take));
    let first = corpus.build("out", &BuildOptions::new());
    assert_eq!(first.rebuild_reason, None);
    let with_keys = corpus.build("out", &BuildOptions::new().with_keys(true));
    assert!(with_keys.rebuild_reason.expect("a reason").contains("no table of keys"));
    assert!(with_keys.rows.keys.expect("keys") > 0);
    assert_eq!(
        Dataset::open(corpus.out("out")).expect("a dataset").files(Table::Keys).expect("files").len(),
        with_keys.parts
    );
    let slow = corpus.build("out", &BuildOptions::new().with_rate_hz(20.0));
    assert!(slow.rebuild_reason.expect("a reason").contains("60 frames a second"));
    assert_eq!(slow.rows.frames, 10);
    corpus.build("scratch", &BuildOptions::new().with_rate_hz(20.0));
    assert_same(&corpus.out("out"), &corpus.out("scratch"));
    assert!(build([corpus.takes()], corpus.out("out"), &BuildOptions::new().with_rate_hz(f64::NAN), go_on).is_err());
}

#[test]
fn nobody_elses_files_are_touched() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    let refused =
        |out: &Path| build([corpus.takes()], out, &BuildOptions::new(), go_on).expect_err("refused").to_string();
    let foreign = corpus.out("foreign");
    fs::create_dir_all(foreign.join("frames")).expect("made");
    fs::write(foreign.join("frames/part-0123456789abcdef0123456789abcdef.parquet"), "mine").expect("written");
    let before = files(&foreign);
    assert!(refused(&foreign).contains("it is no dataset"));
    fs::write(foreign.join("dataset.json"), "{\"name\": \"mine\"}").expect("written");
    assert!(refused(&foreign).contains("dataset.json"));
    fs::remove_file(foreign.join("dataset.json")).expect("there");
    assert_eq!(files(&foreign), before);
    assert!(refused(&corpus.path(1)).contains("a dataset is a folder"));

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
fn a_dataset_of_a_newer_holotape_is_left_alone() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    corpus.build("out", &BuildOptions::new());
    let path = corpus.out("out").join("dataset.json");
    let text = fs::read_to_string(&path).expect("there");
    fs::write(&path, text.replace("\"schema_version\": ", "\"schema_version\": 9")).expect("written");
    let refused = build([corpus.takes()], corpus.out("out"), &BuildOptions::new(), go_on).expect_err("refused");
    assert!(refused.to_string().contains("a newer holotape"), "{refused}");
    assert!(Dataset::open(corpus.out("out")).expect_err("refused").to_string().contains("a newer holotape"));
    fs::write(&path, &text[..text.len() / 2]).expect("written");
    let refused = build([corpus.takes()], corpus.out("out"), &BuildOptions::new(), go_on).expect_err("refused");
    assert!(refused.to_string().contains("remove it"), "{refused}");
    fs::remove_file(&path).expect("removed");
    corpus.build("out", &BuildOptions::new());
    assert_eq!(fs::read_to_string(&path).expect("there"), text);
}

/// It may have found other things in the same takes.
#[test]
fn a_dataset_of_another_release_is_made_anew() {
    let mut corpus = Corpus::new();
    (0..5).for_each(|take| corpus.put_content(take, take));
    let first = corpus.build("out", &BuildOptions::new());
    let path = corpus.out("out").join("dataset.json");
    let text = fs::read_to_string(&path).expect("there");
    let line = format!("  \"holotape_version\": \"{}\",\n", env!("CARGO_PKG_VERSION"));
    for other in ["  \"holotape_version\": \"0.0.1\",\n", ""] {
        fs::write(&path, text.replace(&line, other)).expect("written");
        let anew = corpus.build("out", &BuildOptions::new());
        assert_eq!(anew.written_partition_count, first.parts);
        assert!(anew.rebuild_reason.expect("a reason").contains("another holotape"));
        assert_eq!(fs::read_to_string(&path).expect("there"), text);
    }
}

#[test]
fn two_builds_at_once_are_one_too_many() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    let other = Mutex::new(None);
    let one = build([corpus.takes()], corpus.out("out"), &BuildOptions::new(), |_| {
        let refused = build([corpus.takes()], corpus.out("out"), &BuildOptions::new(), go_on);
        *other.lock().expect("held by nobody") = Some(refused);
        ControlFlow::Continue(())
    });
    assert!(one.is_ok());
    let refused = other.into_inner().expect("held by nobody").expect("asked").expect_err("refused");
    assert!(refused.to_string().contains("another build is at work"), "{refused}");
}

#[test]
fn a_corpus_is_not_emptied_by_mistake_and_not_made_of_itself() {
    let mut corpus = Corpus::new();
    corpus.put_content(1, 1);
    // The dataset is inside of what it is made of.
    let out = corpus.takes().join("dataset");
    let made = || build([corpus.takes()], &out, &BuildOptions::new(), go_on).expect("built");
    assert_eq!((made().takes, made().takes), (1, 1));
    fs::remove_file(corpus.path(1)).expect("removed");
    let refused = build([corpus.takes()], &out, &BuildOptions::new(), go_on).expect_err("refused");
    assert!(refused.to_string().contains("no recordings"), "{refused}");
    assert_eq!(Dataset::open(&out).expect("still there").rows(Table::Recordings), 1);
}
