//! What can be asked for.

use clap::{Parser, Subcommand};

use crate::commands::{completions, convert, demo, diff, info, man, sample, stats};

/// XR input recordings: look into them, sample them, convert them.
///
/// Works on MRTK input animations of every version and layout (.bin) and on holotape's lossless JSON documents
/// (.json), told apart by content. `-` is standard input or output.
///
/// Exit codes: 0 done, 1 failed, 2 wrong usage, 3 done but something was lost.
#[derive(Debug, Parser)]
#[command(name = "holotape", version, max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub enum Command {
    Info(info::InfoArgs),
    Sample(sample::SampleArgs),
    Convert(convert::ConvertArgs),
    Diff(diff::DiffArgs),
    Stats(stats::StatsArgs),
    Demo(demo::DemoArgs),
    Completions(completions::CompletionsArgs),
    Man(man::ManArgs),
}

/// A value parser for times and the like.
pub fn finite(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err("not a number of seconds".to_owned()),
    }
}

/// A value parser for rates and the like.
pub fn positive(text: &str) -> Result<f64, String> {
    match text.trim().parse::<f64>() {
        Ok(number) if number.is_finite() && number > 0.0 => Ok(number),
        _ => Err("not a number above 0".to_owned()),
    }
}
