//! Losses of many recordings, reported once per kind.

use std::path::{Path, PathBuf};

use holotape_convert::Losses;

use crate::input;
use crate::output;

/// Counts files by kind of loss, and keeps the first message of each kind.
#[derive(Default)]
pub(super) struct LossSummary(Vec<LossCount>);

struct LossCount {
    kind: String,
    file_count: usize,
    last_file: PathBuf,
    first_message: String,
}

impl LossSummary {
    pub(super) fn add(&mut self, file: &Path, losses: &Losses) {
        for loss in losses.iter() {
            let message = loss.to_string();
            // Apart from numbers, messages of one kind are equal up to the first colon or parenthesis.
            let kind: String = message.chars().take_while(|c| !"(:".contains(*c)).filter(|c| !c.is_numeric()).collect();
            match self.0.iter_mut().find(|count| count.kind == kind) {
                Some(count) if count.last_file == file => {}
                Some(count) => {
                    count.file_count += 1;
                    file.clone_into(&mut count.last_file);
                }
                None => {
                    let first_message = format!("{}: {message}", input::display_path(file).display());
                    self.0.push(LossCount { kind, file_count: 1, last_file: file.to_owned(), first_message });
                }
            }
        }
    }

    /// Prints the losses of `total` files, and returns whether there are any.
    pub(super) fn print(&self, total: usize) -> bool {
        for LossCount { file_count, first_message, .. } in &self.0 {
            let files = if total == 1 { String::new() } else { format!("; in {file_count} of {total} files") };
            output::print_labelled("lost", &format_args!("{first_message}{files}"));
        }
        !self.0.is_empty()
    }
}
