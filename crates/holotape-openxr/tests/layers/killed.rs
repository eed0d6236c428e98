//! An application that is killed while it is recorded loses at most the last frame.

use std::env;
use std::io::{Read as _, Write as _};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use holotape::record::{Journal, journal_path};
use holotape_openxr::RecordConfig;

use crate::fake::{Bed, Options};
use crate::record::{nanos_of, record};

/// Where the child records. Without this variable, its test does nothing.
const CHILD_PATH: &str = "HOLOTAPE_TEST_KILLED_PATH";

/// Set if the session of the child has no frames.
const CHILD_IS_HEADLESS: &str = "HOLOTAPE_TEST_KILLED_HEADLESS";

#[test]
fn child_records_until_it_is_killed() {
    let Some(path) = env::var_os(CHILD_PATH) else { return };
    let is_headless = env::var_os(CHILD_IS_HEADLESS).is_some();
    let (bed, config) = (Bed::new(), RecordConfig::new(PathBuf::from(path)));
    let app = bed.start(record(&config));
    let session = app.try_session(Options { is_headless, ..Options::default() }).expect("a session");
    let mut stderr = std::io::stderr();
    for n in 0.. {
        if is_headless {
            session.see(nanos_of(n))
        } else {
            session.frame()
        };
        // One byte for each frame after which the application has control again.
        stderr.write_all(b".").expect("the parent reads");
    }
}

#[test]
fn killed_application_loses_at_most_the_last_frame() {
    for round in 0..30 {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("take.bin");
        let mut command = Command::new(env::current_exe().expect("a path"));
        command.args(["--exact", "killed::child_records_until_it_is_killed", "--nocapture"]).env(CHILD_PATH, &path);
        if round % 2 == 1 {
            command.env(CHILD_IS_HEADLESS, "");
        }
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("a child");
        let mut frames = child.stderr.take().expect("a pipe");
        frames.read_exact(&mut vec![0; 1 + 7 * round]).expect("frames of the child");
        child.kill().expect("killed");
        child.wait().expect("ended");
        let mut rest = Vec::new();
        frames.read_to_end(&mut rest).expect("frames of the child");
        let finished = 1 + 7 * round + rest.len();
        let journal = Journal::open(journal_path(&path));
        // Before the first frame is written, the journal may be missing.
        let count = journal.map_or(0, |journal| journal.frame_count as usize);
        assert!(count + 1 >= finished, "round {round}: {count} of {finished} frames");
    }
}
