//! Saving replaces a file atomically.

use std::env;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use holotape::atomic::{self, IfExists};
use holotape::{Curve, LinearKey, PoseCurves, Recording};
use tempfile::tempdir;

/// A recording of a few megabytes whose bytes identify it.
fn take(value: f32) -> Recording {
    let curve: Curve = (0..100_000).map(|n| LinearKey::new(n as f32, value)).collect();
    let position = [curve.clone(), curve.clone(), curve];
    Recording { camera: Some(PoseCurves { position, ..PoseCurves::new() }), ..Recording::default() }
}

const CHILD_PATH: &str = "HOLOTAPE_TEST_SAVE_PATH";

/// Not a test itself: the child process, started with an environment variable.
#[test]
fn child_saves_forever() {
    let Some(path) = env::var_os(CHILD_PATH) else { return };
    let recordings = [take(1.0), take(2.0)];
    for recording in recordings.iter().cycle() {
        assert!(recording.save(&path).expect("saves").is_empty());
        eprintln!("saved");
    }
}

#[test]
fn killed_process_leaves_the_old_or_the_new_file() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("take.bin");
    let whole = [take(1.0), take(2.0)].map(|recording| recording.to_vec().expect("writes").0);
    fs::write(&path, &whole[0]).expect("writes");
    for round in 0..20_u64 {
        let mut child = Command::new(env::current_exe().expect("known"))
            .args(["--exact", "save::child_saves_forever", "--nocapture"])
            .env(CHILD_PATH, &path)
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("starts");
        // The child has saved up to three times, and is then killed at some time during another save.
        let mut lines = BufReader::new(child.stderr.take().expect("piped")).lines();
        (0..round % 4).for_each(|_| assert_eq!(lines.next().expect("a line").expect("text"), "saved"));
        sleep(Duration::from_millis(7 * (round / 4)));
        child.kill().expect("still saving");
        child.wait().expect("ends");
        let found = fs::read(&path).expect("readable");
        assert!(whole.contains(&found), "round {round}: {} bytes are neither file", found.len());
    }
}

#[test]
fn failed_save_leaves_the_old_file_and_no_temporary_file() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("take.bin");
    fs::write(&path, "old").expect("writes");
    let error = atomic::write(&path, IfExists::Replace, |file| {
        file.write_all(b"half of the new")?;
        Err::<(), _>(std::io::Error::other("the disk is full").into())
    });
    assert!(error.expect_err("fails").to_string().ends_with("take.bin: the disk is full"));
    assert_eq!(fs::read(&path).expect("readable"), b"old");
    assert_eq!(names(folder.path()), ["take.bin"]);
}

#[test]
fn saving_can_refuse_to_overwrite() {
    let folder = tempdir().expect("a folder");
    let path = folder.path().join("take.bin");
    let fill = |file: &mut (dyn Write + Send)| Ok(file.write_all(b"new")?);
    atomic::write(&path, IfExists::Refuse, fill).expect("nothing there yet");
    let error = atomic::write(&path, IfExists::Refuse, fill).expect_err("there");
    assert!(error.to_string().contains("file already exists"), "{error}");
    assert!(atomic::write(folder.path(), IfExists::Replace, fill).is_err(), "a directory is no file");
    let nowhere = atomic::write(folder.path().join("no/such/take.bin"), IfExists::Replace, fill);
    assert!(nowhere.expect_err("no folder").to_string().contains("take.bin: missing folder"));
}

// On Windows, links need a privilege that users do not have, and files have the permissions of their folder.
#[cfg(unix)]
#[test]
fn symlinks_are_followed_and_permissions_kept() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let folder = tempdir().expect("a folder");
    let (path, link) = (folder.path().join("take.bin"), folder.path().join("link.bin"));
    fs::write(&path, "old").expect("writes");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("allowed");
    symlink(&path, &link).expect("links");
    assert!(Recording::default().save(&link).expect("saves").is_empty());
    assert!(fs::symlink_metadata(&link).expect("there").is_symlink());
    assert!(Recording::open(&path).is_ok());
    assert_eq!(fs::metadata(&path).expect("there").permissions().mode() & 0o777, 0o640);

    let (absent, dangling) = (folder.path().join("absent.bin"), folder.path().join("dangling.bin"));
    symlink("absent.bin", &dangling).expect("links");
    assert!(Recording::default().save(&dangling).expect("saves").is_empty());
    assert!(Recording::open(&absent).is_ok(), "a link to nothing yet is followed too");

    let fresh = folder.path().join("fresh.bin");
    assert!(Recording::default().save(&fresh).expect("saves").is_empty());
    let plain = folder.path().join("plain.bin");
    fs::write(&plain, "").expect("writes");
    let mode = |path: &Path| fs::metadata(path).expect("there").permissions().mode();
    assert_eq!(mode(&fresh), mode(&plain), "like any new file");
}

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("readable");
    entries.map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned()).collect()
}
