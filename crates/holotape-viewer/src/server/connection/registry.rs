//! The open connections. When there are too many, one that does nothing is closed for a new one.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Instant;

use tokio::sync::Notify;

/// Below the number of files that systems allow a process to open, which is often 1,024.
const MAX_CONNECTIONS: usize = 800;

/// Connections whose client has not sent a valid token yet.
const MAX_UNAUTHENTICATED: usize = 128;

/// From one address, with those of its network that have not sent a valid token yet. A browser opens six.
const MAX_PER_ADDRESS: usize = 64;

/// What the server knows about a connection.
#[derive(Debug)]
pub(in super::super) struct ConnectionState {
    address: IpAddr,
    opened: Instant,
    is_authenticated: AtomicBool,
    is_websocket: AtomicBool,
    /// Milliseconds from `opened` until data was sent or received.
    last_active_millis: AtomicU64,
    eviction: Notify,
}

impl ConnectionState {
    fn new(address: IpAddr) -> Self {
        Self {
            address,
            opened: Instant::now(),
            is_authenticated: AtomicBool::new(false),
            is_websocket: AtomicBool::new(false),
            last_active_millis: AtomicU64::new(0),
            eviction: Notify::new(),
        }
    }

    /// Removes the time limit for sending a token.
    pub(in super::super) fn mark_authenticated(&self) {
        self.is_authenticated.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_authenticated(&self) -> bool {
        self.is_authenticated.load(Ordering::Relaxed)
    }

    /// Removes the minimum speed of reading.
    pub(super) fn mark_websocket(&self) {
        self.is_websocket.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_websocket(&self) -> bool {
        self.is_websocket.load(Ordering::Relaxed)
    }

    pub(super) fn mark_active(&self) {
        let millis = u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.last_active_millis.store(millis, Ordering::Relaxed);
    }

    fn last_active(&self) -> Instant {
        self.opened + std::time::Duration::from_millis(self.last_active_millis.load(Ordering::Relaxed))
    }

    /// Closes the connection.
    pub(in super::super) fn evict(&self) {
        self.eviction.notify_one();
    }

    /// Resolves when the connection must close.
    pub(super) async fn evicted(&self) {
        self.eviction.notified().await;
    }
}

/// All open connections, in the order in which they were accepted.
#[derive(Debug, Default)]
pub(super) struct Connections(Mutex<Vec<Weak<ConnectionState>>>);

impl Connections {
    /// Adds a connection, and evicts another one if there are too many.
    pub(super) fn admit(&self, address: IpAddr) -> Arc<ConnectionState> {
        let address = address.to_canonical();
        let mut connections = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        connections.retain(|connection| connection.strong_count() > 0);
        let open: Vec<_> = connections.iter().filter_map(Weak::upgrade).collect();
        if let Some(victim) = victim_for(address, &open) {
            connections.retain(|connection| !std::ptr::eq(connection.as_ptr(), Arc::as_ptr(victim)));
            victim.evict();
        }
        let state = Arc::new(ConnectionState::new(address));
        connections.push(Arc::downgrade(&state));
        state
    }
}

/// The address, or the network of an IPv6 address: a device can choose the lower 64 bits freely.
pub(in super::super) fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) if !address.is_loopback() => {
            Ipv6Addr::from_bits(address.to_bits() & (u128::MAX << 64)).into()
        }
        address => address,
    }
}

/// The connection to close for a new one from `address`. An address with too many connections loses its own; until a client has
/// sent a valid token, that is its network, and the address in it that has most.
fn victim_for(address: IpAddr, open: &[Arc<ConnectionState>]) -> Option<&Arc<ConnectionState>> {
    let unauthenticated = || open.iter().filter(|connection| !connection.is_authenticated());
    let is_same = |connection: &&Arc<ConnectionState>| connection.address == address;
    let is_near = |connection: &&Arc<ConnectionState>| network_of(connection.address) == network_of(address);
    // Another device of the network must not close the connections of a paired one.
    let own = open.iter().filter(|connection| connection.is_authenticated()).filter(is_same);
    let own_unauthenticated = || unauthenticated().filter(is_near);
    // All programs on this machine have the same address.
    if !address.is_loopback() && own.clone().count() + own_unauthenticated().count() >= MAX_PER_ADDRESS {
        return least_active(busiest(own_unauthenticated(), |address| address)).or_else(|| least_active(own));
    }
    if unauthenticated().count() >= MAX_UNAUTHENTICATED {
        return least_active(busiest(unauthenticated(), network_of));
    }
    if open.len() >= MAX_CONNECTIONS {
        return least_active(unauthenticated()).or_else(|| least_active(open.iter()));
    }
    None
}

fn least_active<'a>(connections: impl Iterator<Item = &'a Arc<ConnectionState>>) -> Option<&'a Arc<ConnectionState>> {
    connections.min_by_key(|connection| connection.last_active())
}

/// The connections of the groups of addresses that have the most.
fn busiest<'a>(
    connections: impl Iterator<Item = &'a Arc<ConnectionState>> + Clone,
    group_of: impl Fn(IpAddr) -> IpAddr,
) -> impl Iterator<Item = &'a Arc<ConnectionState>> {
    let mut counts = HashMap::<_, usize>::new();
    connections.clone().for_each(|connection| *counts.entry(group_of(connection.address)).or_default() += 1);
    let most = counts.values().copied().max();
    connections.filter(move |connection| counts.get(&group_of(connection.address)).copied() == most)
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;
    use std::task::{Context, Waker};

    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 168, 1, last])
    }

    /// Addresses of one network.
    fn ipv6_address(last: u16) -> IpAddr {
        IpAddr::from([0x2001, 0xdb8, 0, 0, 0, 0, 0, last])
    }

    fn is_evicted(connection: &ConnectionState) -> bool {
        let mut evicted = Box::pin(connection.evicted());
        evicted.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_ready()
    }

    fn evicted(connections: &[Arc<ConnectionState>]) -> Vec<usize> {
        (0..connections.len()).filter(|n| is_evicted(&connections[*n])).collect()
    }

    #[test]
    fn unauthenticated_address_evicts_only_its_own_connections() {
        let connections = Connections::default();
        let headset = connections.admit(address(1));
        let attacker: Vec<_> = (0..500).map(|_| connections.admit(address(2))).collect();
        let reconnect = connections.admit(address(1));
        assert!(!is_evicted(&headset) && !is_evicted(&reconnect));
        assert_eq!(evicted(&attacker).len(), 500 - MAX_PER_ADDRESS);
    }

    #[test]
    fn unauthenticated_ipv6_network_evicts_only_its_own_connections() {
        let connections = Connections::default();
        let headset = connections.admit(address(1));
        let attacker: Vec<_> = (0..500).map(|n| connections.admit(ipv6_address(n))).collect();
        assert!(!is_evicted(&headset));
        assert_eq!(evicted(&attacker).len(), 500 - MAX_PER_ADDRESS);
    }

    #[test]
    fn ipv6_address_with_too_many_connections_loses_its_own() {
        let connections = Connections::default();
        // The least active one: it was opened first.
        let pairing = connections.admit(ipv6_address(1));
        let attacker: Vec<_> = (0..500).map(|_| connections.admit(ipv6_address(2))).collect();
        assert!(!is_evicted(&pairing));
        assert_eq!(evicted(&attacker).len(), 501 - MAX_PER_ADDRESS);
    }

    #[test]
    fn paired_device_keeps_its_connections_whatever_its_ipv6_network_does() {
        let connections = Connections::default();
        let headsets: Vec<_> = (0..200)
            .map(|n| {
                let connection = connections.admit(ipv6_address(n % 20));
                connection.mark_authenticated();
                connection
            })
            .collect();
        let attacker: Vec<_> = (0..500).map(|n| connections.admit(ipv6_address(1000 + n))).collect();
        assert!(evicted(&headsets).is_empty());
        assert_eq!(evicted(&attacker).len(), 500 - MAX_PER_ADDRESS);
        let reconnect = connections.admit(ipv6_address(7));
        assert!(evicted(&headsets).is_empty() && !is_evicted(&reconnect));
    }

    #[test]
    fn address_with_too_many_authenticated_connections_loses_the_least_active_one() {
        let connections = Connections::default();
        let all: Vec<_> = (0..=MAX_PER_ADDRESS)
            .map(|_| {
                let connection = connections.admit(address(1));
                connection.mark_authenticated();
                connection
            })
            .collect();
        assert_eq!(evicted(&all), [0]);
    }

    #[test]
    fn address_with_most_unauthenticated_connections_loses_one() {
        let connections = Connections::default();
        let few: Vec<_> = (0..30).map(|_| connections.admit(address(1))).collect();
        let many: Vec<_> = (0..60).map(|_| connections.admit(address(2))).collect();
        let more: Vec<_> = (0..40).map(|n| connections.admit(address(100 + n))).collect();
        assert_eq!((evicted(&few), evicted(&more)), (vec![], vec![]));
        assert_eq!(evicted(&many), [0, 1]);
    }

    #[test]
    fn authenticated_and_closed_connections_make_room() {
        let connections = Connections::default();
        let local = IpAddr::from(Ipv4Addr::LOCALHOST);
        let mut all: Vec<_> = (0..MAX_UNAUTHENTICATED).map(|_| connections.admit(local)).collect();
        all[0].mark_authenticated();
        drop(all.pop());
        let more = [connections.admit(local), connections.admit(local)];
        assert!(evicted(&all).is_empty() && evicted(&more).is_empty());
        let _last = connections.admit(local);
        assert_eq!(evicted(&all), [1]);
    }

    #[test]
    fn idle_connection_is_evicted_for_a_new_one() {
        let connections = Connections::default();
        let local = IpAddr::from(Ipv4Addr::LOCALHOST);
        let all: Vec<_> = (0..MAX_CONNECTIONS)
            .map(|_| {
                let connection = connections.admit(local);
                connection.mark_authenticated();
                connection
            })
            .collect();
        for (n, connection) in all.iter().enumerate() {
            connection.last_active_millis.store(if n == 7 { 0 } else { 60_000 }, Ordering::Relaxed);
        }
        let _new = connections.admit(local);
        assert_eq!(evicted(&all), [7]);
    }
}
