//! Saving: new files, and files that replace others.

use std::fs;

use holotape::Recording;
use holotape::demo::DemoOptions;

use crate::states::{Loss, State, replay};
use crate::trace::{Op, Trace};
use crate::tree::{Tree, write_paths};
use crate::{folder, strace};

/// A traced command that writes a file, with the contents of that file before and after.
struct Save {
    trace: Trace,
    old: Option<Vec<u8>>,
    new: Vec<u8>,
}

impl Save {
    fn run(args: &[&str], old: Option<Vec<u8>>) -> Self {
        let (root, log) = (folder(), folder());
        let input = log.path().join("in.bin");
        let demo = DemoOptions::new().with_seconds(1.0).generate().expect("a demo");
        assert!(demo.save(&input).expect("saved").is_empty());
        let out = root.path().join("out.bin");
        if let Some(old) = &old {
            fs::write(&out, old).expect("written");
        }
        let initial = Tree::read(root.path());
        let paths = [input.to_str().expect("UTF-8"), out.to_str().expect("UTF-8")];
        let calls = strace::run(&log.path().join("log"), args.iter().chain(&paths));
        let trace = Trace::new(root.path(), initial, &calls);
        let new = fs::read(&out).expect("written");
        assert!(Recording::from_slice(&new).expect("a recording") != demo, "the command changes the recording");
        Self { trace, old, new }
    }

    /// Checks that the file is old or new in a state, and new after the last operation.
    fn check(&self, State { point, loss, paths }: &State) -> Result<(), String> {
        let at = format!("{loss:?} after {point} operations");
        let is_last = *point == self.trace.ops.len();
        let content = paths.get("out.bin").cloned().flatten();
        if content != self.old && content.as_ref() != Some(&self.new) {
            return Err(format!("{at}: {:?} bytes", content.map(|content| content.len())));
        }
        if is_last && content.as_ref() != Some(&self.new) {
            return Err(format!("{at}: the command has ended, but the file is not durable"));
        }
        let is_temporary = |path: &String| path.starts_with(".holotape-") && !(is_last && *loss == Loss::Killed);
        if let Some(other) = paths.keys().find(|path| *path != "out.bin" && !is_temporary(path)) {
            return Err(format!("{at}: {other} remains"));
        }
        let folder = folder();
        write_paths(paths, folder.path());
        match content {
            Some(_) => {
                Recording::open(folder.path().join("out.bin")).map(drop).map_err(|error| format!("{at}: {error}"))
            }
            None => Ok(()),
        }
    }

    /// Checks all states. Returns the first failure.
    fn replay(&self, name: &str) -> Result<usize, String> {
        let mut result = Ok(());
        let states = replay(name, &self.trace, |state| {
            if result.is_ok() {
                result = self.check(state);
            }
        });
        result.map(|()| states)
    }
}

fn old_recording() -> Vec<u8> {
    let old = DemoOptions::new().with_seed(7).with_seconds(0.5).generate().expect("a demo");
    old.to_vec().expect("bytes").0
}

#[test]
fn new_file_is_complete_or_missing_after_a_crash() {
    let save = Save::run(&["trim", "--from", "0.2", "--to", "0.9"], None);
    let states = save.replay("trim to a new file").unwrap_or_else(|error| panic!("{error}"));
    assert!(states >= 80, "{states} states");
}

#[test]
fn replaced_file_is_old_or_new_after_a_crash() {
    for args in [&["optimize", "--force"][..], &["resample", "--rate", "240", "--force"]] {
        let save = Save::run(args, Some(old_recording()));
        let states = save.replay(&format!("{} over a file", args[0])).unwrap_or_else(|error| panic!("{error}"));
        assert!(states >= 80, "{states} states");
    }
}

/// The checks above fail if the program forgets a sync or renames a file before it is written.
#[test]
fn missing_syncs_and_early_renames_are_detected() {
    let mut save = Save::run(&["optimize", "--force"], Some(old_recording()));
    let is_sync = |at: &usize| matches!(save.trace.ops[*at], Op::Sync { .. });
    let syncs: Vec<_> = (0..save.trace.ops.len()).filter(is_sync).collect();
    assert_eq!(syncs.len(), 2, "of the file and of its folder");
    for at in syncs {
        let sync = std::mem::replace(&mut save.trace.ops[at], Op::Send { to: 0, data: Vec::new() });
        let failure = save.replay("optimize without a sync").expect_err("a file that is not durable");
        println!("{failure}");
        save.trace.ops[at] = sync;
    }
    let written = save.trace.ops.iter().position(Op::is_data).expect("a write");
    let renamed = save.trace.ops.iter().position(|op| matches!(op, Op::Rename { .. })).expect("a rename");
    save.trace.ops[written..=renamed].rotate_right(1);
    println!("{}", save.replay("optimize with an early rename").expect_err("a partial file"));
}
