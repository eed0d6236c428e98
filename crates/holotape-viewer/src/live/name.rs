//! What takes are called that are recorded in the browser: whatever is asked for becomes the name of a file in one folder, since
//! nobody is to lose a take for its name.

use crate::edit::{is_invisible_char, is_reserved_name};

/// Room for a number and an extension, in what file systems hold.
const MAX_BYTES: usize = 200;

const EXTENSION: &str = ".bin";

/// A name that any system holds, without its extension; nothing if there is nothing left of it.
pub(super) fn sanitize_stem(asked: &str) -> Option<String> {
    let last = asked.rsplit(['/', '\\']).next().unwrap_or_default();
    let is_wanted = |letter: &char| !is_invisible_char(*letter) && !"<>:\"|?*".contains(*letter);
    let name: String = last.chars().filter(is_wanted).collect();
    let name = name.trim_end_matches(is_trimmed_char);
    let bare = name.len().checked_sub(EXTENSION.len()).filter(|at| name.is_char_boundary(*at));
    let stem = match bare.map(|at| name.split_at(at)) {
        Some((stem, extension)) if extension.eq_ignore_ascii_case(EXTENSION) => stem,
        _ => name,
    };
    let stem = truncate_name(stem.trim_matches(is_trimmed_char)).trim_end_matches(is_trimmed_char);
    match stem {
        "" => None,
        // Not only the name as it is: a number behind it makes another device of it.
        device if is_reserved_name(device) || is_reserved_name(&numbered_file_name(device, 1)) => {
            Some(format!("take {device}"))
        }
        stem => Some(stem.to_owned()),
    }
}

/// What no name begins or ends with: some systems drop it, others hide the file.
fn is_trimmed_char(letter: char) -> bool {
    letter == '.' || letter.is_whitespace()
}

fn truncate_name(name: &str) -> &str {
    let mut end = name.len().min(MAX_BYTES);
    while !name.is_char_boundary(end) {
        end -= 1;
    }
    &name[..end]
}

/// The name of a file: of the first take of that name, of the second, and so on.
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
    fn whatever_is_asked_for_is_the_name_of_a_file() {
        for (asked, name) in [
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
                sanitize_stem(asked).map(|stem| numbered_file_name(&stem, 1)).as_deref(),
                Some(name),
                "{asked:?}"
            );
        }
        assert_eq!(numbered_file_name("grasping", 2), "grasping-2.bin");
    }

    #[test]
    fn where_nothing_is_left_there_is_no_name() {
        for asked in ["", " ", ".", "..", "/", "a/", "..\\", ".bin", "..bin", "\u{feff}", "<>", "\0"] {
            assert_eq!(sanitize_stem(asked), None, "{asked:?}");
        }
    }

    #[test]
    fn names_are_no_longer_than_systems_hold() {
        for letter in ["x", "ü", "手", "🖐"] {
            let stem = sanitize_stem(&letter.repeat(5000)).expect("a name");
            assert!(stem.len() <= MAX_BYTES && numbered_file_name(&stem, u32::MAX).len() <= 255, "{letter}");
        }
    }
}
