//! Selects curves by patterns with `*` as wildcard.

use holotape::format::Channels;
use holotape::{CurveId, Error, ErrorKind, Recording, Result};

/// Longer than any curve name; limits the time to search for similar names.
const MAX_PATTERN: usize = 64;

/// Returns the curves with keys that match any of the patterns, in file order.
///
/// # Errors
/// If a pattern matches no curve; the message suggests similar names.
pub(super) fn select_matching(recording: &Recording, patterns: &[String]) -> Result<Vec<CurveId>> {
    let names: Vec<_> = recording.curves().map(|(id, curve)| (id, id.to_string(), curve.key_count() > 0)).collect();
    for pattern in patterns {
        if !names.iter().any(|(_, name, has_keys)| *has_keys && matches(pattern, name)) {
            return Err(Error::new(ErrorKind::InvalidArgument, no_match_message(pattern, recording)));
        }
    }
    let is_selected = |name: &str| patterns.iter().any(|pattern| matches(pattern, name));
    let selected = names.iter().filter(|(_, name, has_keys)| *has_keys && is_selected(name));
    Ok(selected.map(|(id, ..)| *id).collect())
}

/// Whether a name matches a pattern. Only the last `*` ever needs to backtrack.
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
            (_, Some((star, matched))) => {
                last_star = Some((star, matched + 1));
                (p, n) = (star + 1, matched + 1);
            }
            _ => return false,
        }
    }
    pattern[p..].iter().all(|byte| *byte == b'*')
}

/// The reason why no curve matches, with similar names.
fn no_match_message(pattern: &str, recording: &Recording) -> String {
    let with_keys: Vec<_> =
        recording.curves().filter(|(_, curve)| curve.key_count() > 0).map(|(id, _)| id.to_string()).collect();
    let is_valid = CurveId::all(Channels::ALL).any(|id| matches(pattern, &id.to_string()));
    let reason = if is_valid { "no curve with keys matches" } else { "no curve name matches" };
    match similar(pattern, &with_keys).as_slice() {
        [] => format!("{reason} {pattern:?}"),
        names => format!("{reason} {pattern:?}; this recording has {}, among others", names.join(", ")),
    }
}

/// The names with the smallest edit distance to the pattern.
fn similar(pattern: &str, names: &[String]) -> Vec<String> {
    const MAX_SUGGESTIONS: usize = 4;
    let pattern: Vec<_> = pattern.to_lowercase().chars().take(MAX_PATTERN).collect();
    let mut by_distance: Vec<_> = names.iter().map(|name| (distance(&pattern, &name.to_lowercase()), name)).collect();
    // A stable sort: ties stay in file order.
    by_distance.sort_by_key(|(distance, _)| *distance);
    by_distance.into_iter().take(MAX_SUGGESTIONS).map(|(_, name)| name.clone()).collect()
}

/// The edit distance between a name and the nearest match of a pattern.
fn distance(pattern: &[char], name: &str) -> usize {
    let name: Vec<_> = name.chars().collect();
    let mut row: Vec<_> = (0..=name.len()).collect();
    for character in pattern {
        let mut diagonal = row[0];
        let is_star = *character == '*';
        row[0] += usize::from(!is_star);
        for n in 1..row.len() {
            let above = row[n];
            row[n] = match is_star {
                true => above.min(row[n - 1]),
                false => (diagonal + usize::from(*character != name[n - 1])).min(above + 1).min(row[n - 1] + 1),
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
    fn star_matches_any_characters() {
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
    fn many_stars_do_not_backtrack_exponentially() {
        assert!(!matches(&"*a".repeat(10_000), &"a".repeat(5_000)));
    }

    #[test]
    fn similar_ranks_typos_first() {
        let names = ["camera.position.x", "right.IndexTip.position.x", "gaze.origin.x"].map(str::to_owned);
        assert_eq!(similar("rihgt.indextip.*", &names)[0], names[1]);
        assert_eq!(similar("eye.origin.*", &names)[0], names[2]);
        let chars = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(distance(&chars("c*.x"), "camera.position.x"), 0);
        assert_eq!(distance(&chars("camra.*"), "camera.position.x"), 1);
    }
}
