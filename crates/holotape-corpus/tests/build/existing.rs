//! Builds into folders that already have files.

use std::fs;
use std::path::Path;

use holotape_corpus::{BuildOptions, Dataset, Table, build};

use crate::build::{Corpus, assert_same, files, go_on};

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
