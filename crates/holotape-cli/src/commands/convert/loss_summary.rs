//! What many recordings lost, told once.

use std::path::{Path, PathBuf};

use holotape_convert::Losses;

use crate::input;
use crate::output;

/// Losses of many recordings: each sort once, with in how many it was and what it was first.
#[derive(Default)]
pub(super) struct LossSummary(Vec<LossCount>);

struct LossCount {
    sort: String,
    files: usize,
    last_file: PathBuf,
    first: String,
}

impl LossSummary {
    pub(super) fn add(&mut self, file: &Path, losses: &Losses) {
        for loss in losses.iter() {
            let message = loss.to_string();
            // The same thing of other recordings begins with the same words; then come numbers.
            let sort: String =
                message.chars().take_while(|letter| !"(:".contains(*letter) && !letter.is_numeric()).collect();
            match self.0.iter_mut().find(|tallied| tallied.sort == sort) {
                Some(tallied) if tallied.last_file == file => {}
                Some(tallied) => {
                    tallied.files += 1;
                    file.clone_into(&mut tallied.last_file);
                }
                None => {
                    let first = format!("{}: {message}", input::display_path(file).display());
                    self.0.push(LossCount { sort, files: 1, last_file: file.to_owned(), first });
                }
            }
        }
    }

    /// Whether there was anything to tell.
    pub(super) fn tell(&self, files: usize) -> bool {
        for LossCount { files: count, first, .. } in &self.0 {
            let others = if files == 1 { String::new() } else { format!("; so in {count} of {files}") };
            output::print_labelled("lost", &format_args!("{first}{others}"));
        }
        !self.0.is_empty()
    }
}
