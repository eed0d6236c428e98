//! The paired devices, in memory and in the state directory.

use std::net::IpAddr;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use holotape::{Error, ErrorKind, Result};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::server::state_dir::{DamagedFile, FileStamp, StateDir, StateFile};
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
    damaged: Option<DamagedFile>,
}

impl PairedDevices {
    /// Reads the devices of a state directory; `None` selects the user's. A damaged list is [kept](Self::take_damaged) under
    /// another name, and all devices must pair again.
    ///
    /// # Errors
    /// Fails if the directory cannot be created or read.
    pub fn open(state_dir: Option<PathBuf>) -> Result<Self> {
        let state = state_dir.or_else(StateDir::default_path).map(StateDir::open).transpose()?;
        Self::load(state)
    }

    pub(in crate::server) fn load(state: Option<StateDir>) -> Result<Self> {
        let mut devices = Self { state, ..Self::default() };
        devices.reload()?;
        Ok(devices)
    }

    /// The devices, least recently seen first.
    #[must_use]
    pub fn list(&self) -> &[PairedDevice] {
        &self.devices
    }

    /// Returns the list that was damaged, once.
    pub fn take_damaged(&mut self) -> Option<DamagedFile> {
        self.damaged.take()
    }

    /// Removes a device. A running server closes its connections and refuses its next request.
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

    /// Reads the list again if another process has changed it.
    pub(super) fn refresh(&mut self) {
        if self.state.as_ref().is_some_and(|state| state.stamp(FILE_NAME) != self.stamp) {
            // If the list cannot be read, it stays as it was.
            self.reload().ok();
        }
    }

    pub(super) fn has_id(&self, id: &str) -> bool {
        self.devices.iter().any(|device| device.id == id)
    }

    /// Returns the id of the device with this token, and marks it as seen.
    pub(super) fn check_and_touch(&mut self, token: &str) -> Option<String> {
        self.refresh();
        let digest = digest_of(token);
        let index = self.devices.iter().position(|device| device.token_digest == digest)?;
        let id = self.devices[index].id.clone();
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
        Some(id)
    }

    fn reload(&mut self) -> Result<()> {
        let Some(state) = &self.state else { return Ok(()) };
        self.stamp = state.stamp(FILE_NAME);
        self.devices = match state.read(FILE_NAME)? {
            StateFile::Read(devices) => devices,
            StateFile::Missing => Vec::new(),
            StateFile::Damaged => {
                self.damaged = Some(state.keep_damaged(FILE_NAME)?);
                self.stamp = None;
                Vec::new()
            }
        };
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
        assert!(devices.check_and_touch(&tokens[0]).is_some());
        devices.add("one more", ADDRESS, "").unwrap();
        assert_eq!(devices.list().len(), MAX_DEVICES);
        let valid: Vec<_> = tokens.iter().map(|token| devices.check_and_touch(token).is_some()).collect();
        assert_eq!(valid.iter().position(|valid| !valid), Some(1));
        assert_eq!(valid.iter().filter(|valid| !**valid).count(), 1);
        assert_eq!(devices.check_and_touch(""), None);
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
        assert!(server.check_and_touch("quest").is_none() && server.check_and_touch("laptop").is_some());
        server.add("third", ADDRESS, "").unwrap();
        assert_eq!(open().list().len(), 2);
        assert_eq!(command.revoke_all().unwrap(), 2);
        assert!(server.check_and_touch("laptop").is_none() && open().list().is_empty());
    }

    #[test]
    fn damaged_list_is_kept_under_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let [path, kept] = ["devices.json", "devices.json.damaged"].map(|name| folder.path().join(name));
        std::fs::write(&path, "[{").unwrap();
        let mut devices = PairedDevices::open(Some(folder.path().into())).unwrap();
        assert!(devices.list().is_empty());
        assert_eq!(devices.take_damaged(), Some(DamagedFile { path: path.clone(), kept: kept.clone() }));
        devices.add("token", ADDRESS, "").unwrap();
        assert!(devices.check_and_touch("token").is_some());
        assert_eq!((std::fs::read(&kept).unwrap(), devices.take_damaged()), (b"[{".to_vec(), None));
        // Also while a server runs.
        std::fs::write(&path, "damaged again").unwrap();
        assert_eq!(devices.check_and_touch("token"), None);
        assert_eq!(
            (std::fs::read(&kept).unwrap(), devices.take_damaged().is_some()),
            (b"damaged again".to_vec(), true)
        );
    }

    // On Windows, the directory is in one that is private to the user already.
    #[cfg(unix)]
    #[test]
    fn other_users_cannot_read_the_directory_and_its_files() {
        use std::os::unix::fs::PermissionsExt;

        let folder = tempfile::tempdir().unwrap();
        let state = folder.path().join("state");
        std::fs::create_dir(&state).unwrap();
        std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o755)).unwrap();
        let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let mut devices = PairedDevices::open(Some(state.clone())).unwrap();
        assert_eq!(mode(&state), 0o700);
        let file = state.join(FILE_NAME);
        devices.add("token", ADDRESS, "").unwrap();
        assert_eq!(mode(&file), 0o600);
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).unwrap();
        devices.add("other", ADDRESS, "").unwrap();
        assert_eq!(mode(&file), 0o600);
    }
}
