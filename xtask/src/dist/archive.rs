//! Archives whose bytes depend only on their entries: fixed time, owner and modes, in the order in which entries are added.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::Path;

use flate2::write::{DeflateEncoder, GzEncoder};
use flate2::{Compression, Crc};

use crate::Result;

/// The size of a block of a tar file.
const TAR_BLOCK: usize = 512;

/// The first year that a zip file can represent, in seconds since 1970.
const ZIP_EPOCH_SECS: u64 = 315_532_800;

struct Entry {
    path: String,
    bytes: Vec<u8>,
    executable: bool,
}

impl Entry {
    fn mode(&self) -> u32 {
        if self.executable { 0o755 } else { 0o644 }
    }
}

/// The files of an archive.
pub struct Archive {
    entries: Vec<Entry>,
    paths: BTreeSet<String>,
    time_secs: u64,
}

impl Archive {
    /// An empty archive; all its files get this modification time, in seconds since 1970.
    pub fn new(time_secs: u64) -> Self {
        Self { entries: Vec::new(), paths: BTreeSet::new(), time_secs }
    }

    /// Adds a file.
    pub fn add(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result {
        self.push(path, bytes.into(), false)
    }

    /// Adds a program or a library.
    pub fn add_executable(&mut self, path: &str, bytes: impl Into<Vec<u8>>) -> Result {
        self.push(path, bytes.into(), true)
    }

    /// Adds all files of a folder below a path, sorted by name.
    pub fn add_folder(&mut self, path: &str, folder: &Path) -> Result {
        for name in sorted_names(folder)? {
            let (inner, source) = (format!("{path}/{name}"), folder.join(&name));
            if source.is_dir() {
                self.add_folder(&inner, &source)?;
            } else {
                self.add(&inner, read(&source)?)?;
            }
        }
        Ok(())
    }

    /// The paths and contents of the files.
    pub fn files(&self) -> impl Iterator<Item = (&str, &[u8])> {
        self.entries.iter().map(|entry| (entry.path.as_str(), entry.bytes.as_slice()))
    }

    fn push(&mut self, path: &str, bytes: Vec<u8>, executable: bool) -> Result {
        if !self.paths.insert(path.to_owned()) {
            return Err(format!("{path} is twice in the archive"));
        }
        self.entries.push(Entry { path: path.to_owned(), bytes, executable });
        Ok(())
    }

    /// The archive as a gzip-compressed tar file.
    pub fn tar_gz(&self) -> Result<Vec<u8>> {
        // The header has neither a time nor a file name.
        let mut out = GzEncoder::new(Vec::new(), Compression::best());
        let mut write = |bytes: &[u8]| out.write_all(bytes).map_err(|error| error.to_string());
        for entry in &self.entries {
            write(&tar_header(entry, self.time_secs)?)?;
            write(&entry.bytes)?;
            write(&vec![0; entry.bytes.len().next_multiple_of(TAR_BLOCK) - entry.bytes.len()])?;
        }
        write(&[0; 2 * TAR_BLOCK])?;
        out.finish().map_err(|error| error.to_string())
    }

    /// The archive as a zip file.
    pub fn zip(&self) -> Result<Vec<u8>> {
        let (mut out, mut directory) = (Vec::new(), Vec::new());
        for entry in &self.entries {
            let deflated = deflate(&entry.bytes)?;
            let common = zip_fields(entry, &deflated, self.time_secs)?;
            let offset = size(out.len(), &entry.path)?;
            out.extend(b"PK\x03\x04");
            out.extend(&common);
            out.extend(entry.path.as_bytes());
            out.extend(&deflated);
            // Made by version 2.0 on Unix, so that the modes apply.
            directory.extend(b"PK\x01\x02\x14\x03");
            directory.extend(&common);
            // No comment, first disk, no internal attributes.
            directory.extend([0; 6]);
            directory.extend(((0o100_000 | entry.mode()) << 16).to_le_bytes());
            directory.extend(offset.to_le_bytes());
            directory.extend(entry.path.as_bytes());
        }
        let (offset, length) = (size(out.len(), "the archive")?, size(directory.len(), "the archive")?);
        let count = u16::try_from(self.entries.len()).map_err(|_| "the archive has too many files".to_owned())?;
        out.extend(directory);
        out.extend(b"PK\x05\x06\0\0\0\0");
        out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
        out.extend([length.to_le_bytes(), offset.to_le_bytes()].concat());
        out.extend([0; 2]);
        Ok(out)
    }
}

/// Reads a file; the error names it.
pub fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// The names of the files and folders of a folder, sorted.
pub fn sorted_names(folder: &Path) -> Result<Vec<String>> {
    let failed = |error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        names.push(entry.map_err(failed)?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

fn size(bytes: usize, path: &str) -> Result<u32> {
    u32::try_from(bytes).map_err(|_| format!("{path} has more than 4 GiB"))
}

/// A header of the ustar format.
fn tar_header(entry: &Entry, time_secs: u64) -> Result<[u8; TAR_BLOCK]> {
    let (prefix, name) = split_tar_path(&entry.path)?;
    let mut header = [0; TAR_BLOCK];
    let mut put = |offset: usize, text: &str| header[offset..offset + text.len()].copy_from_slice(text.as_bytes());
    put(0, name);
    put(100, &format!("{:07o}", entry.mode()));
    // Owner and group are root.
    put(108, "0000000");
    put(116, "0000000");
    put(124, &format!("{:011o}", entry.bytes.len()));
    put(136, &format!("{time_secs:011o}"));
    // The checksum is computed with spaces in its place.
    put(148, "        ");
    put(156, "0");
    put(257, "ustar\x0000");
    put(345, prefix);
    let checksum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{checksum:06o}\0 ").as_bytes());
    Ok(header)
}

/// Splits a path into the two fields of the header, of 155 and 100 bytes.
fn split_tar_path(path: &str) -> Result<(&str, &str)> {
    if path.len() <= 100 {
        return Ok(("", path));
    }
    let splits = path.match_indices('/').map(|(index, _)| (&path[..index], &path[index + 1..]));
    let mut fitting = splits.filter(|(prefix, name)| prefix.len() <= 155 && name.len() <= 100);
    fitting.next().ok_or_else(|| format!("{path} is too long for a tar file"))
}

fn deflate(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).map_err(|error| error.to_string())
}

/// The fields that a file's own header and its directory entry have in common, from the version to the lengths of names.
fn zip_fields(entry: &Entry, deflated: &[u8], time_secs: u64) -> Result<Vec<u8>> {
    let mut crc = Crc::new();
    crc.update(&entry.bytes);
    let (date, time) = dos_time(time_secs);
    let length = u16::try_from(entry.path.len()).map_err(|_| format!("{} is too long for a zip file", entry.path))?;
    // Version 2.0, names in UTF-8, deflated.
    let short = [20_u16, 1 << 11, 8, time, date].map(u16::to_le_bytes).concat();
    let sizes = [crc.sum(), size(deflated.len(), &entry.path)?, size(entry.bytes.len(), &entry.path)?];
    Ok([short, sizes.map(u32::to_le_bytes).concat(), [length, 0].map(u16::to_le_bytes).concat()].concat())
}

/// Date and time as zip files store them, in UTC.
fn dos_time(time_secs: u64) -> (u16, u16) {
    let secs = time_secs.max(ZIP_EPOCH_SECS);
    let (days, secs) = (secs / 86_400, secs % 86_400);
    let (year, month, day) = civil_date(days);
    // A zip file cannot represent years after 2107.
    let date = (year - 1980).min(127) << 9 | month << 5 | day;
    let time = (secs / 3600) << 11 | (secs % 3600 / 60) << 5 | (secs % 60 / 2);
    (u16::try_from(date).unwrap_or(u16::MAX), u16::try_from(time).unwrap_or(u16::MAX))
}

/// Year, month and day of a number of days since 1970.
fn civil_date(mut days: u64) -> (u64, u64, u64) {
    let is_leap = |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(is_leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 1;
    for length in lengths {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    (year, month, days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::{command, output};

    /// 16 November 2026, 17:52:14.
    const TIME_SECS: u64 = 1_794_851_534;

    fn example() -> Archive {
        let mut archive = Archive::new(TIME_SECS);
        archive.add_executable("example-1.0/run", "#!/bin/sh\n").expect("new path");
        archive.add("example-1.0/docs/é.txt", "text ".repeat(1000)).expect("new path");
        archive.add("example-1.0/empty", "").expect("new path");
        let long = format!("example-1.0/{}/{}", "d".repeat(90), "f".repeat(60));
        archive.add(&long, "long").expect("new path");
        archive
    }

    #[test]
    fn archive_rejects_a_path_that_it_has() {
        let mut archive = example();
        assert!(archive.add("example-1.0/empty", "").is_err());
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(civil_date(0), (1970, 1, 1));
        assert_eq!(civil_date(11_016), (2000, 2, 29));
        assert_eq!(civil_date(20_773), (2026, 11, 16));
        assert_eq!(dos_time(TIME_SECS), (46 << 9 | 11 << 5 | 16, 17 << 11 | 52 << 5 | 7));
        assert_eq!(dos_time(0), (1 << 5 | 1, 0));
    }

    #[test]
    fn archives_have_the_same_bytes_each_time() {
        assert_eq!(example().tar_gz(), example().tar_gz());
        assert_eq!(example().zip(), example().zip());
    }

    /// Writes an archive to a new folder, and returns what a Python program prints that gets its path.
    fn in_python(name: &str, bytes: Result<Vec<u8>>, program: &str) -> String {
        let path = std::env::temp_dir().join(format!("holotape-dist-{}-{name}", std::process::id()));
        fs::write(&path, bytes.expect("an archive")).expect("temporary folder");
        let printed = output(command("python3").args(["-c", program]).arg(&path)).expect("Python reads the archive");
        fs::remove_file(path).expect("temporary folder");
        printed
    }

    #[test]
    fn tar_file_is_read_by_python() {
        let program = "import sys, tarfile\nfor m in tarfile.open(sys.argv[1]):\n  print(len(m.name), oct(m.mode), m.uid, m.gid, m.size, m.mtime)";
        let expected = [(15, 0o755, 10), (22, 0o644, 5000), (17, 0o644, 0), (163, 0o644, 4)];
        let expected =
            expected.map(|(name, mode, size)| format!("{name} 0o{mode:o} 0 0 {size} {TIME_SECS}\n")).concat();
        assert_eq!(in_python("tar.tar.gz", example().tar_gz(), program), expected);
    }

    #[test]
    fn zip_file_is_read_by_python() {
        let program = "import sys, zipfile\nz = zipfile.ZipFile(sys.argv[1])\nprint(z.testzip())\nfor i in z.infolist():\n  print(len(i.filename), oct(i.external_attr >> 16), i.file_size, *i.date_time)";
        let expected = [(15, 0o755, 10), (22, 0o644, 5000), (17, 0o644, 0), (163, 0o644, 4)];
        let entry = |(name, mode, size)| format!("{name} 0o100{mode:o} {size} 2026 11 16 17 52 14\n");
        let expected = format!("None\n{}", expected.map(entry).concat());
        assert_eq!(in_python("zip.zip", example().zip(), program), expected);
    }
}
