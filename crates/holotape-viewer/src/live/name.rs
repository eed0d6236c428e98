//! Turns any requested name of a take into a valid file name, so that no take is lost because of its name.

use holotape::paths::is_reserved_name;

use crate::edit::is_invisible_char;

/// Leaves space for a number and an extension in the 255 bytes that file systems allow.
const MAX_BYTES: usize = 200;

const EXTENSION: &str = ".bin";

/// A name that is valid on all systems, without extension; `None` if no valid characters are left.
pub(super) fn sanitize_stem(requested: &str) -> Option<String> {
    let last = requested.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_valid = |char: &char| !is_invisible_char(*char) && !"<>:\"|?*".contains(*char);
    let name: String = last.chars().filter(is_valid).collect();
    let name = name.trim_end_matches(is_trimmed_char);
    let bare = name.len().checked_sub(EXTENSION.len()).filter(|at| name.is_char_boundary(*at));
    let stem = match bare.map(|at| name.split_at(at)) {
        Some((stem, extension)) if extension.eq_ignore_ascii_case(EXTENSION) => stem,
        _ => name,
    };
    let stem = truncate_name(stem.trim_matches(is_trimmed_char)).trim_end_matches(is_trimmed_char);
    match stem {
        "" => None,
        // Windows reserves device names with any extension.
        device if is_reserved_name(device) || is_reserved_name(&numbered_file_name(device, 1)) => {
            Some(format!("take {device}"))
        }
        stem => Some(stem.to_owned()),
    }
}

/// Some systems remove these characters at the start or end of a name, others hide the file.
fn is_trimmed_char(char: char) -> bool {
    char == '.' || char.is_whitespace()
}

fn truncate_name(name: &str) -> &str {
    let mut end = name.len().min(MAX_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

/// The file name of the take with this number among takes of the same name, from 1.
pub(super) fn numbered_file_name(stem: &str, number: u32) -> String {
    match number {
        1 => format!("{stem}{EXTENSION}"),
        _ => format!("{stem}-{number}{EXTENSION}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sanitize_stem_gives_a_valid_file_name() {
        for (requested, name) in [
            ("grasping", "grasping.bin"),
            ("grasping.bin", "grasping.bin"),
            ("grasping.BIN", "grasping.bin"),
            (" grasping. ", "grasping.bin"),
            ("grasping.v2", "grasping.v2.bin"),
            ("a.json", "a.json.bin"),
            ("Ünïcode 手", "Ünïcode 手.bin"),
            ("../../etc/passwd", "passwd.bin"),
            ("/etc/passwd", "passwd.bin"),
            ("C:\\Windows\\System32\\take", "take.bin"),
            ("C:take", "Ctake.bin"),
            (".hidden", "hidden.bin"),
            ("...x", "x.bin"),
            ("a\0b\n\u{202e}c", "abc.bin"),
            ("a<b>|?*\"", "ab.bin"),
            ("nul", "take nul.bin"),
            ("CON.bin", "take CON.bin"),
            ("com1", "take com1.bin"),
            ("console", "console.bin"),
        ] {
            assert_eq!(
                sanitize_stem(requested).map(|stem| numbered_file_name(&stem, 1)).as_deref(),
                Some(name),
                "{requested:?}"
            );
        }
        assert_eq!(numbered_file_name("grasping", 2), "grasping-2.bin");
    }

    #[test]
    fn sanitize_stem_without_valid_characters_gives_none() {
        for requested in ["", " ", ".", "..", "/", "a/", "..\\", ".bin", "..bin", "\u{feff}", "<>", "\0"] {
            assert_eq!(sanitize_stem(requested), None, "{requested:?}");
        }
    }

    #[test]
    fn sanitize_stem_truncates_long_names() {
        for char in ["x", "ü", "手", "🖐"] {
            let stem = sanitize_stem(&char.repeat(5000)).expect("a name");
            assert!(stem.len() <= MAX_BYTES && numbered_file_name(&stem, u32::MAX).len() <= 255, "{char}");
        }
    }
}
