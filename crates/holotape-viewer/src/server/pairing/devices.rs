//! The paired devices, in memory and in the state directory.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use holotape::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::server::state_dir::{FileStamp, StateDir};
use crate::server::tls::unix_secs;

/// A further device replaces the least recently seen one.
const MAX_DEVICES: usize = 32;

const FILE_NAME: &str = "devices.json";

/// How often the time of a device is written.
const SEEN_INTERVAL: Duration = Duration::from_secs(24 * 60 * 60);

/// Products in the names that browsers give themselves, most specific first.
const PRODUCTS: [(&str, &str); 10] = [
    ("OculusBrowser", "Meta Quest Browser"),
    ("PicoBrowser", "Pico Browser"),
    ("Wolvic", "Wolvic"),
    ("MagicLeap", "Magic Leap Browser"),
    ("Edg", "Edge"),
    ("Firefox", "Firefox"),
    ("CriOS", "Chrome"),
    ("Chrome", "Chrome"),
    ("Safari", "Safari"),
    ("python", "Python"),
];

/// A device that may use the server without a code.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let devices = holotape_viewer::PairedDevices::open(Some(folder.path().into()))?;
/// assert!(devices.list().is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PairedDevice {
    /// Eight hexadecimal digits.
    pub id: String,
    /// The browser of the device.
    pub name: String,
    /// The address from which it was paired.
    pub address: IpAddr,
    /// When it was paired, in seconds since 1970.
    pub paired_unix_secs: u64,
    /// When it last used the server, to the day, in seconds since 1970.
    pub last_seen_unix_secs: u64,
    /// SHA-256 of the token. Comparing digests reveals nothing about the token, so it need not take constant time.
    token_digest: String,
}

/// The devices that were paired with `holotape view --lan`.
///
/// ```
/// let folder = tempfile::tempdir()?;
/// let mut devices = holotape_viewer::PairedDevices::open(Some(folder.path().into()))?;
/// assert!(devices.revoke("0a1b2c3d").is_err());
/// assert_eq!(devices.revoke_all()?, 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct PairedDevices {
    /// `None`: only in memory.
    state: Option<StateDir>,
    devices: Vec<PairedDevice>,
    stamp: Option<FileStamp>,
}

impl PairedDevices {
    /// Reads the devices of a state directory; `None` selects the user's.
    ///
    /// # Errors
    /// Fails if the directory cannot be created or read.
    pub fn open(state_dir: Option<PathBuf>) -> Result<Self> {
        let state = state_dir.or_else(StateDir::default_path).map(StateDir::open).transpose()?;
        Self::load(state)
    }

    pub(in crate::server) fn load(state: Option<StateDir>) -> Result<Self> {
        let mut devices = Self { state, devices: Vec::new(), stamp: None };
        devices.reload()?;
        Ok(devices)
    }

    /// The devices, least recently seen first.
    #[must_use]
    pub fn list(&self) -> &[PairedDevice] {
        &self.devices
    }

    /// Removes a device. A running server refuses its next request.
    ///
    /// # Errors
    /// Fails if there is no device with this id, or if the list cannot be written.
    pub fn revoke(&mut self, id: &str) -> Result<PairedDevice> {
        self.change(|devices| {
            let index = devices.iter().position(|device| device.id == id);
            let unknown = || Error::new(ErrorKind::InvalidArgument, format!("no paired device has the id {id:?}"));
            Ok(devices.remove(index.ok_or_else(unknown)?))
        })
    }

    /// Removes all devices and returns how many there were.
    ///
    /// # Errors
    /// Fails if the list cannot be written.
    pub fn revoke_all(&mut self) -> Result<usize> {
        self.change(|devices| Ok(std::mem::take(devices).len()))
    }

    /// Adds a device that authenticates with `token` from now on.
    pub(super) fn add(&mut self, token: &str, address: IpAddr, user_agent: &str) -> Result<()> {
        let token_digest = digest_of(token);
        let now = unix_secs(SystemTime::now());
        let device = PairedDevice {
            id: token_digest[..8].to_owned(),
            name: browser_name(user_agent).to_owned(),
            address: address.to_canonical(),
            paired_unix_secs: now,
            last_seen_unix_secs: now,
            token_digest,
        };
        self.change(|devices| {
            if devices.len() >= MAX_DEVICES {
                devices.remove(0);
            }
            devices.push(device);
            Ok(())
        })
    }

    /// Returns whether the token is valid, and marks its device as seen.
    pub(super) fn check_and_touch(&mut self, token: &str) -> bool {
        if self.state.as_ref().is_some_and(|state| state.stamp(FILE_NAME) != self.stamp) {
            // If the list cannot be read, it stays as it was.
            self.reload().ok();
        }
        let digest = digest_of(token);
        let Some(index) = self.devices.iter().position(|device| device.token_digest == digest) else { return false };
        self.devices[index..].rotate_left(1);
        let now = unix_secs(SystemTime::now());
        let last_seen = self.devices.last().map_or(now, |device| device.last_seen_unix_secs);
        if now.saturating_sub(last_seen) >= SEEN_INTERVAL.as_secs() {
            self.change(|devices| {
                let seen = devices.iter_mut().filter(|device| device.token_digest == digest);
                seen.for_each(|device| device.last_seen_unix_secs = now);
                Ok(())
            })
            .ok();
        }
        true
    }

    fn reload(&mut self) -> Result<()> {
        let Some(state) = &self.state else { return Ok(()) };
        self.stamp = state.stamp(FILE_NAME);
        self.devices = state.read(FILE_NAME)?.unwrap_or_default();
        Ok(())
    }

    /// Reads the list, changes it and writes it, while no other process does.
    fn change<T>(&mut self, change: impl FnOnce(&mut Vec<PairedDevice>) -> Result<T>) -> Result<T> {
        let Some(state) = self.state.clone() else { return change(&mut self.devices) };
        let _lock = state.lock()?;
        self.reload()?;
        let changed = change(&mut self.devices)?;
        state.write(FILE_NAME, &self.devices)?;
        self.stamp = state.stamp(FILE_NAME);
        Ok(changed)
    }
}

/// The stored form of a token, in hexadecimal digits.
fn digest_of(token: &str) -> String {
    Sha256::digest(token).iter().map(|byte| format!("{byte:02x}")).collect()
}

fn browser_name(user_agent: &str) -> &'static str {
    PRODUCTS.iter().find(|(product, _)| user_agent.contains(product)).map_or("unknown browser", |(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 168, 1, 7));

    #[test]
    fn least_recently_seen_device_is_replaced() {
        let mut devices = PairedDevices::default();
        let tokens: Vec<_> = (0..MAX_DEVICES).map(|n| format!("token {n}")).collect();
        tokens.iter().for_each(|token| devices.add(token, ADDRESS, "").unwrap());
        assert!(devices.check_and_touch(&tokens[0]));
        devices.add("one more", ADDRESS, "").unwrap();
        assert_eq!(devices.list().len(), MAX_DEVICES);
        let valid: Vec<_> = tokens.iter().map(|token| devices.check_and_touch(token)).collect();
        assert_eq!(valid.iter().position(|valid| !valid), Some(1));
        assert_eq!(valid.iter().filter(|valid| !**valid).count(), 1);
        assert!(!devices.check_and_touch(""));
    }

    #[test]
    fn devices_persist_until_they_are_revoked() {
        let folder = tempfile::tempdir().unwrap();
        let open = || PairedDevices::open(Some(folder.path().join("state"))).unwrap();
        let mut server = open();
        server.add("quest", ADDRESS, "Mozilla/5.0 (X11; Linux x86_64; Quest 3) OculusBrowser/41 Chrome/138").unwrap();
        server.add("laptop", ADDRESS, "Mozilla/5.0 Firefox/140").unwrap();
        let mut command = open();
        let names: Vec<_> = command.list().iter().map(|device| device.name.as_str()).collect();
        assert_eq!(names, ["Meta Quest Browser", "Firefox"]);
        let id = command.list()[0].id.clone();
        assert_eq!(command.revoke(&id).unwrap().id, id);
        assert_eq!(command.revoke(&id).unwrap_err().kind(), ErrorKind::InvalidArgument);
        // The running server reads the list again.
        assert!(!server.check_and_touch("quest") && server.check_and_touch("laptop"));
        server.add("third", ADDRESS, "").unwrap();
        assert_eq!(open().list().len(), 2);
        assert_eq!(command.revoke_all().unwrap(), 2);
        assert!(!server.check_and_touch("laptop") && open().list().is_empty());
    }

    #[test]
    fn damaged_list_is_treated_as_empty() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(FILE_NAME), "[{").unwrap();
        let mut devices = PairedDevices::open(Some(folder.path().into())).unwrap();
        assert!(devices.list().is_empty());
        devices.add("token", ADDRESS, "").unwrap();
        assert!(devices.check_and_touch("token"));
    }

    #[cfg(unix)]
    #[test]
    fn other_users_cannot_read_the_directory() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        std::fs::create_dir(&state).unwrap();
        std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).unwrap();
        PairedDevices::open(Some(state.clone())).unwrap();
        assert_eq!(std::fs::metadata(&state).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
