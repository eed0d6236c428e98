//! Runs the corpora of the fuzz targets, and the inputs that they once failed on, through the properties of the targets.

use std::fs;
use std::path::{Path, PathBuf};

/// Checks properties with the inputs of the fuzz targets that have their names.
macro_rules! check_corpora {
    ($($module:ident::$property:ident),+ $(,)?) => {
        $(fuzz_corpus::check(stringify!($property), $module::$property);)+
    };
}
pub(crate) use check_corpora;

/// Checks a property with all inputs of a fuzz target.
pub fn check(target: &str, property: fn(&[u8])) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = inputs(&root.join("fuzz/corpus").join(target));
    assert!(!corpus.is_empty(), "fuzz/corpus/{target} is missing");
    for path in corpus.iter().chain(&inputs(&root.join("testdata/regressions").join(target))) {
        println!("{}", path.display());
        property(&fs::read(path).expect("readable"));
    }
}

/// The files of a folder; none if it does not exist.
fn inputs(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("readable").path()).collect();
    paths.sort();
    paths
}
