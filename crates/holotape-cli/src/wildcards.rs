//! Wildcards in arguments: the shells of Windows leave them to programs.

use std::ffi::OsString;

use glob::MatchOptions;

/// The arguments of the process. On Windows, wildcards are replaced by the files that match, as shells on other systems do.
pub fn args() -> Vec<OsString> {
    let args: Vec<_> = std::env::args_os().collect();
    // These two take patterns and arguments of other programs.
    let is_own = !matches!(args.get(1).and_then(|arg| arg.to_str()), Some("dataset" | "openxr"));
    if cfg!(windows) && is_own { args.into_iter().flat_map(expand).collect() } else { args }
}

/// The files that match, in order; the argument itself if there are none.
fn expand(arg: OsString) -> Vec<OsString> {
    let options = MatchOptions { require_literal_leading_dot: true, case_sensitive: false, ..MatchOptions::new() };
    // The prefix of long paths has a question mark.
    let pattern = arg.to_str().filter(|text| text.contains(['*', '?']) && !text.starts_with('-') && !is_verbatim(text));
    let paths = pattern.and_then(|pattern| glob::glob_with(pattern, options).ok());
    let matching: Vec<_> = paths.into_iter().flatten().flatten().map(OsString::from).collect();
    if matching.is_empty() { vec![arg] } else { matching }
}

fn is_verbatim(path: &str) -> bool {
    path.starts_with(r"\\?\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_become_the_matching_files_in_order() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        for name in ["b.BIN", "a.bin", "c.csv", ".hidden.bin"] {
            std::fs::write(folder.path().join(name), "")?;
        }
        let path = |name: &str| folder.path().join(name).into_os_string();
        assert_eq!(expand(path("*.bin")), [path("a.bin"), path("b.BIN")]);
        assert_eq!(expand(path("?.csv")), [path("c.csv")]);
        for kept in [path("*.json"), path("a.bin"), "-*".into(), r"\\?\C:\takes\a.bin".into(), "-".into()] {
            assert_eq!(expand(kept.clone()), [kept]);
        }
        Ok(())
    }
}
