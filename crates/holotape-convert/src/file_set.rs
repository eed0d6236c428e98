//! Reads the files of a recording that consists of several, with a limit on their total size.

use std::io::Read;
use std::path::Path;

use holotape::paths;
use holotape::{Error, ErrorKind, Result};

/// Reads files of at most `max_bytes` in total. Errors have the path of the file.
pub(crate) fn read_files<'a>(paths: impl IntoIterator<Item = &'a Path>, max_bytes: u64) -> Result<Vec<Vec<u8>>> {
    let mut rest_bytes = max_bytes;
    let mut read_file = |path: &Path| -> Result<Vec<u8>> {
        let file = paths::open(path)?;
        let too_large = || {
            let message = format!("the files of the recording are larger than the limit of {max_bytes} bytes");
            Error::new(ErrorKind::LimitExceeded, message)
        };
        if file.metadata()?.len() > rest_bytes {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        // The file may grow, or have no known size.
        file.take(rest_bytes.saturating_add(1)).read_to_end(&mut bytes)?;
        rest_bytes = rest_bytes.checked_sub(bytes.len() as u64).ok_or_else(too_large)?;
        Ok(bytes)
    };
    paths.into_iter().map(|path| read_file(path).map_err(|error| error.with_path(path))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_above_the_limit_are_rejected() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/import/psi");
        let paths = ["Head/Head.txt", "Eyes/Eyes.txt"].map(|name| folder.join(name));
        let read = |limit| read_files(paths.iter().map(AsRef::as_ref), limit);
        let bytes: u64 = read(u64::MAX).unwrap().iter().map(|text| text.len() as u64).sum();
        assert!(read(bytes).is_ok());
        for limit in [0, 1, bytes - 1] {
            let error = read(limit).unwrap_err();
            assert_eq!(error.kind(), ErrorKind::LimitExceeded, "{error}");
            assert!(error.path().is_some());
        }
    }
}
