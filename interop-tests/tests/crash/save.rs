//! Saving: new files, and files that replace others.

use std::fs;

use holotape::Recording;
use holotape::demo::DemoOptions;

use crate::states::{Loss, State, replay};
use crate::trace::Trace;
use crate::tree::{Tree, write_paths};
use crate::{folder, strace};

/// Runs a command that writes OUT, and checks OUT after every crash. `old` is the content before.
fn check_save(name: &str, args: &[&str], old: Option<&[u8]>) {
    let (root, log) = (folder(), folder());
    let input = log.path().join("in.bin");
    let demo = DemoOptions::new().with_seconds(1.0).generate().expect("a demo");
    assert!(demo.save(&input).expect("saved").is_empty());
    let out = root.path().join("out.bin");
    if let Some(old) = old {
        fs::write(&out, old).expect("written");
    }
    let initial = Tree::read(root.path());
    let paths = [input.to_str().expect("UTF-8"), out.to_str().expect("UTF-8")];
    let calls = strace::run(&log.path().join("log"), args.iter().chain(&paths));
    let trace = Trace::new(root.path(), initial, &calls);
    let new = fs::read(&out).expect("written");
    assert!(Recording::from_slice(&new).expect("a recording") != demo, "the command changes the recording");
    let states = replay(name, &trace, |state| check_state(state, &trace, old, &new));
    assert!(states >= 80, "{states} states");
}

fn check_state(State { point, loss, paths }: &State, trace: &Trace, old: Option<&[u8]>, new: &[u8]) {
    let at = format!("{loss:?} after {point} operations");
    let content = paths.get("out.bin").map(|content| content.as_deref().expect("a file"));
    assert!(content == old || content == Some(new), "{at}: {:?} bytes", content.map(<[u8]>::len));
    if *point == trace.ops.len() {
        assert!(content == Some(new), "{at}: the command has ended, but the file is not durable");
    }
    let others: Vec<_> = paths.keys().filter(|path| *path != "out.bin" && !path.starts_with(".holotape-")).collect();
    assert!(others.is_empty(), "{at}: {others:?}");
    if *point == trace.ops.len() && *loss == Loss::Killed {
        assert_eq!(paths.len(), 1, "{at}: a temporary file remains");
    }
    // What is there opens.
    let folder = folder();
    write_paths(paths, folder.path());
    if content.is_some() {
        Recording::open(folder.path().join("out.bin")).unwrap_or_else(|error| panic!("{at}: {error}"));
    }
}

#[test]
fn new_file_is_complete_or_missing_after_a_crash() {
    check_save("save a new file", &["trim", "--from", "0.2", "--to", "0.9"], None);
}

#[test]
fn replaced_file_is_old_or_new_after_a_crash() {
    let old = DemoOptions::new().with_seed(7).with_seconds(0.5).generate().expect("a demo");
    let (old, _) = old.to_vec().expect("bytes");
    check_save("save over a file", &["optimize", "--force"], Some(&old));
}

#[test]
fn file_replaced_by_a_table_is_old_or_new_after_a_crash() {
    let old = DemoOptions::new().with_seed(7).with_seconds(0.5).generate().expect("a demo");
    let (old, _) = old.to_vec().expect("bytes");
    check_save("resample over a file", &["resample", "--rate", "240", "--force"], Some(&old));
}
