//! The open connections of paired devices, which are closed when the device is revoked.

use std::sync::{Arc, Weak};

use crate::server::connection::ConnectionState;

#[derive(Default)]
pub(super) struct DeviceConnections(Vec<(String, Weak<ConnectionState>)>);

impl DeviceConnections {
    /// Adds a connection of the device with this id.
    pub(super) fn add(&mut self, id: &str, connection: &Arc<ConnectionState>) {
        self.0.retain(|(_, connection)| connection.strong_count() > 0);
        let is_same = |(known, other): &(String, Weak<_>)| known == id && other.as_ptr() == Arc::as_ptr(connection);
        if !self.0.iter().any(is_same) {
            self.0.push((id.to_owned(), Arc::downgrade(connection)));
        }
    }

    /// Closes the connections of all devices that are not paired.
    pub(super) fn close_unpaired(&mut self, is_paired: impl Fn(&str) -> bool) {
        self.0.retain(|(id, connection)| {
            let keeps = is_paired(id);
            if let Some(connection) = connection.upgrade().filter(|_| !keeps) {
                connection.evict();
            }
            keeps
        });
    }
}
