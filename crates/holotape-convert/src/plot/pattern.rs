//! Curves by pattern: names in which `*` stands for anything.

use holotape::format::Channels;
use holotape::{CurveId, Error, ErrorKind, Recording, Result};

/// More than the longest name of a curve: what is longer is not worth a search for what was meant.
const MAX_PATTERN: usize = 64;

/// The curves with keys that fit any of the patterns, in the order of the file.
///
/// # Errors
/// If a pattern fits none; the message says what there is instead.
pub(super) fn select_matching(recording: &Recording, patterns: &[String]) -> Result<Vec<CurveId>> {
    let names: Vec<_> = recording.curves().map(|(id, curve)| (id, id.to_string(), curve.key_count() > 0)).collect();
    for pattern in patterns {
        if !names.iter().any(|(_, name, has_keys)| *has_keys && matches(pattern, name)) {
            return Err(Error::new(ErrorKind::Invalid, no_match_message(pattern, recording)));
        }
    }
    let is_chosen = |name: &str| patterns.iter().any(|pattern| matches(pattern, name));
    let chosen = names.iter().filter(|(_, name, has_keys)| *has_keys && is_chosen(name));
    Ok(chosen.map(|(id, ..)| *id).collect())
}

/// Whether a name fits a pattern. Where a `*` has to give back what it took, only the last one ever does.
fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, name) = (pattern.as_bytes(), name.as_bytes());
    let (mut p, mut n) = (0, 0);
    let mut last_star = None;
    while n < name.len() {
        match (pattern.get(p), last_star) {
            (Some(b'*'), _) => {
                last_star = Some((p, n));
                p += 1;
            }
            (Some(byte), _) if *byte == name[n] => (p, n) = (p + 1, n + 1),
            (_, Some((star, taken))) => {
                last_star = Some((star, taken + 1));
                (p, n) = (star + 1, taken + 1);
            }
            _ => return false,
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// Why there is nothing to show, and what there is that is called similarly.
fn no_match_message(pattern: &str, recording: &Recording) -> String {
    let with_keys: Vec<_> =
        recording.curves().filter(|(_, curve)| curve.key_count() > 0).map(|(id, _)| id.to_string()).collect();
    let known = CurveId::all(Channels::ALL).any(|id| matches(pattern, &id.to_string()));
    let fault = if known { "this recording has no keys in any curve" } else { "no curve has a name" };
    match similar(pattern, &with_keys).as_slice() {
        [] => format!("{fault} that fits {pattern:?}"),
        names => format!("{fault} that fits {pattern:?}; there are {} and others", names.join(", ")),
    }
}

/// The names that take the fewest changes to become something that fits.
fn similar(pattern: &str, names: &[String]) -> Vec<String> {
    const MAX_SUGGESTIONS: usize = 4;
    let pattern: Vec<_> = pattern.to_lowercase().chars().take(MAX_PATTERN).collect();
    let mut by_distance: Vec<_> = names.iter().map(|name| (distance(&pattern, &name.to_lowercase()), name)).collect();
    // Stable: of equals, those that come first in the file.
    by_distance.sort_by_key(|(distance, _)| *distance);
    by_distance.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name.clone()).collect()
}

/// How many letters of a name to change, add or take away so that it fits a pattern.
fn distance(pattern: &[char], name: &str) -> usize {
    let name: Vec<_> = name.chars().collect();
    let mut row: Vec<_> = (0..=name.len()).collect();
    for letter in pattern {
        let mut diagonal = row[0];
        let free = *letter == '*';
        row[0] += usize::from(!free);
        for n in 1..row.len() {
            let above = row[n];
            row[n] = match free {
                true => above.min(row[n - 1]),
                false => (diagonal + usize::from(*letter != name[n - 1])).min(above + 1).min(row[n - 1] + 1),
            };
            diagonal = above;
        }
    }
    row.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        let name = "right.IndexTip.position.x";
        for pattern in
            [name, "*", "right.*", "*.x", "*Tip.position.*", "r*.I*p.*n.x*", "**", "right.IndexTip.position.*x"]
        {
            assert!(matches(pattern, name), "{pattern}");
        }
        for pattern in ["", "right", "right.*.y", "*tip*", "right.IndexTip.position.x.*", "?*", "*.xx"] {
            assert!(!matches(pattern, name), "{pattern}");
        }
    }

    #[test]
    fn many_stars_take_no_time() {
        assert!(!matches(&"*a".repeat(10_000), &"a".repeat(5_000)));
    }

    #[test]
    fn slips_of_the_pen_are_near_what_was_meant() {
        let names = ["camera.position.x", "right.IndexTip.position.x", "gaze.origin.x"].map(str::to_owned);
        assert_eq!(similar("rihgt.indextip.*", &names)[0], names[1]);
        assert_eq!(similar("eye.origin.*", &names)[0], names[2]);
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("c*.x"), "camera.position.x"), 0);
        assert_eq!(distance(&chars("camra.*"), "camera.position.x"), 1);
    }
}
