//! `holotape devices [revoke]`

use std::io::Write;
use std::time::{Duration, SystemTime};

use clap::{Args, Subcommand};
use holotape_viewer::{PairedDevice, PairedDevices};

use super::view::lan::warn_damaged;
use crate::failure::{Failure, Outcome};
use crate::output;
use crate::table::{TextTable, plural};

/// List the devices that are paired with `view --lan`, and revoke them
#[derive(Debug, Args)]
pub struct DevicesArgs {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    Revoke(RevokeArgs),
}

/// Remove devices from the list, so that they must pair again
///
/// A running server closes the connections of a revoked device within a second, and refuses its requests. A take that it is
/// recording is saved after 2 minutes.
#[derive(Debug, Args)]
struct RevokeArgs {
    /// The ids of the devices
    #[arg(value_name = "ID", required_unless_present = "all")]
    ids: Vec<String>,

    /// Revoke all devices
    #[arg(long, conflicts_with = "ids")]
    all: bool,
}

pub fn run(args: &DevicesArgs) -> Result<Outcome, Failure> {
    let mut devices = PairedDevices::open(None)?;
    devices.take_damaged().iter().for_each(warn_damaged);
    match &args.action {
        None => list(&devices)?,
        Some(Action::Revoke(RevokeArgs { all: true, .. })) => {
            let count = devices.revoke_all()?;
            writeln!(output::stdout(), "revoked {}", plural(count, "device", "devices"))?;
        }
        Some(Action::Revoke(RevokeArgs { ids, .. })) => {
            for id in ids {
                let device = devices.revoke(id)?;
                writeln!(output::stdout(), "revoked {}: {} at {}", device.id, device.name, device.address)?;
            }
        }
    }
    Ok(Outcome::Done)
}

fn list(devices: &PairedDevices) -> Result<(), Failure> {
    let mut out = output::stdout();
    if devices.list().is_empty() {
        writeln!(out, "no paired devices")?;
        return Ok(());
    }
    let mut table = TextTable::default();
    table.push(["id", "browser", "address", "paired", "last seen"].map(str::to_owned));
    for PairedDevice { id, name, address, paired_unix_secs, last_seen_unix_secs, .. } in devices.list().iter().rev() {
        let (paired, seen) = (days_ago(*paired_unix_secs), days_ago(*last_seen_unix_secs));
        table.push([id.clone(), name.clone(), address.to_string(), paired, seen]);
    }
    table.write(&mut out, 0)?;
    out.flush()?;
    Ok(())
}

fn days_ago(unix_secs: u64) -> String {
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(unix_secs);
    match SystemTime::now().duration_since(time).unwrap_or_default().as_secs() / (24 * 60 * 60) {
        0 => "today".to_owned(),
        1 => "yesterday".to_owned(),
        days => format!("{days} days ago"),
    }
}
