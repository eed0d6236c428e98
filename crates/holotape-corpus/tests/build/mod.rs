//! Builds of datasets: independent of earlier builds, and without effect on other files.

mod concurrent;
mod existing;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};

use holotape::demo::DemoOptions;
use holotape_corpus::{BuildOptions, BuildReport, Dataset, Progress, build};
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
    // Windows has neither links without a privilege nor pipes in folders.
    #[cfg(unix)]
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
