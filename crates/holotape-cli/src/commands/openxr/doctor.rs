//! `holotape openxr doctor`

use std::io::Write;
use std::path::PathBuf;

use clap::Args;
use holotape::paths::canonicalize;
use holotape_openxr::Probe;

use super::install;
use super::layers::library;
use crate::failure::{Failure, Outcome};
use crate::output;

/// Show which OpenXR loader and runtime there are, and what can be recorded
///
/// The exit code is 1 if no application could be recorded.
#[derive(Debug, Args)]
pub struct DoctorArgs {
    /// The OpenXR loader [default: the one that the system finds]
    #[arg(long, value_name = "FILE")]
    loader: Option<PathBuf>,

    /// Also list the extensions of the runtime
    #[arg(long)]
    extensions: bool,
}

pub fn run(args: &DoctorArgs) -> Result<Outcome, Failure> {
    let mut out = output::stdout();
    let library = library();
    match &library {
        Ok(path) => writeln!(out, "layers    {}", path.display())?,
        Err(failure) => {
            writeln!(out, "layers    missing")?;
            out.flush()?;
            failure.report();
        }
    }
    for (layer, is_installed) in install::installed()? {
        writeln!(
            out,
            "          {layer}: {}",
            if is_installed { "installed for all applications" } else { "not installed" }
        )?;
    }
    // The system looks for a name without folders only in its own folders.
    let given = |path: &PathBuf| {
        if path.exists() { canonicalize(path).unwrap_or_else(|_| path.clone()) } else { path.clone() }
    };
    let loader = args.loader.as_ref().map_or_else(|| Probe::LOADER.into(), given);
    let probe = match Probe::of_loader(&loader) {
        Ok(probe) => probe,
        Err(message) => {
            writeln!(out, "loader    {}", loader.display())?;
            out.flush()?;
            output::print_labelled("error", &message);
            let hint = "install a loader (Debian: apt-get install libopenxr-loader1) or name one with --loader, and start a runtime";
            output::print_labelled("hint", &hint);
            return Err(Failure::AlreadyReported);
        }
    };
    writeln!(out, "loader    {}", loader.display())?;
    writeln!(out, "runtime   {} {}", probe.runtime, probe.runtime_version)?;
    writeln!(out, "headset   {}", probe.system.as_deref().unwrap_or("none is connected"))?;
    writeln!(out, "\nhead      recorded")?;
    writeln!(out, "hands     {}", hands(&probe))?;
    writeln!(out, "pinch     {}", pinch(&probe))?;
    writeln!(out, "gaze      {}", gaze(&probe))?;
    writeln!(out, "\nAll of them can be replayed, with any headset or with none that tracks hands or eyes.")?;
    if args.extensions {
        writeln!(out)?;
        probe.extensions.iter().try_for_each(|name| writeln!(out, "{name}"))?;
    }
    out.flush()?;
    library.map(|_| Outcome::Done).map_err(|_| Failure::AlreadyReported)
}

fn hands(probe: &Probe) -> &'static str {
    match probe.hand_tracking {
        Some(true) => "recorded",
        Some(false) => "not recorded: this headset does not track hands",
        None if probe.system.is_none() => "unknown without a headset",
        None => "not recorded: the runtime does not offer XR_EXT_hand_tracking",
    }
}

fn pinch(probe: &Probe) -> &'static str {
    let has_profile = probe.extensions.iter().any(|name| name == "XR_EXT_hand_interaction");
    match (probe.hand_tracking, has_profile) {
        (Some(true), true) => "recorded, from the application's actions or the distance of thumb and index finger",
        (Some(true), false) => "recorded, from a select button or the distance of thumb and index finger",
        _ => "not recorded without hands",
    }
}

fn gaze(probe: &Probe) -> &'static str {
    match probe.eye_gaze {
        Some(true) => "recorded, if the user permits it",
        Some(false) => "the direction of the head: this headset does not track eyes",
        None if probe.system.is_none() => "unknown without a headset",
        None => "the direction of the head: the runtime does not offer XR_EXT_eye_gaze_interaction",
    }
}
