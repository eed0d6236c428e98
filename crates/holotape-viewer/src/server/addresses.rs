//! Addresses and host names of this machine in the local network.

use std::cmp::Reverse;
use std::net::{IpAddr, Ipv4Addr, UdpSocket};

use if_addrs::{Interface, get_if_addrs};

/// Name prefixes of interfaces of containers, virtual machines and tunnels, which headsets cannot reach.
const VIRTUAL_INTERFACES: [&str; 14] = [
    "docker",
    "br-",
    "veth",
    "virbr",
    "vmnet",
    "vboxnet",
    "vethernet",
    "tun",
    "tap",
    "utun",
    "wg",
    "zt",
    "tailscale",
    "cni",
];

/// The addresses of this machine, most likely reachable first.
pub(super) fn local_addresses() -> Vec<IpAddr> {
    ordered(get_if_addrs().unwrap_or_default(), outbound_address())
}

fn ordered(interfaces: Vec<Interface>, outbound: Option<IpAddr>) -> Vec<IpAddr> {
    let is_usable = |interface: &Interface| !interface.is_loopback() && is_typeable(interface.ip());
    let mut usable: Vec<_> = interfaces.into_iter().filter(is_usable).collect();
    usable.sort_by_key(|interface| Reverse(reachability_rank(interface, outbound)));
    let mut addresses: Vec<_> = usable.iter().map(Interface::ip).collect();
    addresses.dedup();
    addresses
}

/// Browsers do not accept IPv6 link-local addresses, because these need a zone index.
fn is_typeable(address: IpAddr) -> bool {
    !matches!(address, IpAddr::V6(address) if address.is_unicast_link_local())
}

/// Compared lexicographically; greater is better.
fn reachability_rank(interface: &Interface, outbound: Option<IpAddr>) -> [bool; 4] {
    let name = interface.name.to_ascii_lowercase();
    let is_virtual = interface.is_p2p || VIRTUAL_INTERFACES.iter().any(|start| name.starts_with(start));
    let address = interface.ip();
    let is_assigned = !matches!(address, IpAddr::V4(address) if address.is_link_local());
    [!is_virtual, address.is_ipv4() && is_assigned, Some(address) == outbound, is_assigned]
}

/// The local address of the default route. Connecting a UDP socket sends no packet.
fn outbound_address() -> Option<IpAddr> {
    /// Reserved for documentation.
    const PROBE_ADDRESS: (Ipv4Addr, u16) = (Ipv4Addr::new(192, 0, 2, 1), 9);
    let socket = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).ok()?;
    socket.connect(PROBE_ADDRESS).ok()?;
    Some(socket.local_addr().ok()?.ip())
}

/// The mDNS name and the plain host name of this machine.
pub(super) fn host_names() -> Vec<String> {
    names_from(&gethostname::gethostname().to_string_lossy())
}

fn names_from(host_name: &str) -> Vec<String> {
    let host_name = host_name.to_ascii_lowercase();
    let is_label = |label: &str| {
        let is_valid = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
        !label.is_empty() && label.len() < 64 && label.bytes().all(is_valid)
    };
    if host_name.len() > 200 || !host_name.split('.').all(is_label) {
        return Vec::new();
    }
    let label = host_name.split('.').next().unwrap_or_default();
    let mut names = vec![format!("{label}.local"), label.to_owned()];
    if !names.contains(&host_name) {
        names.push(host_name);
    }
    names.retain(|name| name != "localhost" && name.parse::<IpAddr>().is_err());
    names
}

#[cfg(test)]
mod tests {
    use std::net::Ipv6Addr;

    use if_addrs::{IfAddr, IfOperStatus, Ifv4Addr, Ifv6Addr};

    use super::*;

    fn interface(name: &str, address: &str) -> Interface {
        let addr = match address.parse().expect("an address") {
            IpAddr::V4(ip) => {
                IfAddr::V4(Ifv4Addr { ip, netmask: Ipv4Addr::new(255, 255, 255, 0), prefixlen: 24, broadcast: None })
            }
            IpAddr::V6(ip) => {
                IfAddr::V6(Ifv6Addr { ip, netmask: Ipv6Addr::UNSPECIFIED, prefixlen: 64, broadcast: None })
            }
        };
        Interface {
            name: name.to_owned(),
            addr,
            index: None,
            oper_status: IfOperStatus::Up,
            is_p2p: false,
            #[cfg(windows)]
            adapter_name: name.to_owned(),
        }
    }

    #[test]
    fn physical_network_addresses_come_first() {
        let interfaces = [
            ("lo", "127.0.0.1"),
            ("docker0", "172.17.0.1"),
            ("eth1", "169.254.7.7"),
            ("wlan0", "fe80::1"),
            ("wlan0", "fd00::2"),
            ("eth0", "10.0.0.4"),
            ("wlan0", "192.168.1.20"),
        ];
        let interfaces = interfaces.map(|(name, address)| interface(name, address)).to_vec();
        let order = |outbound: &str| {
            let addresses = ordered(interfaces.clone(), outbound.parse().ok());
            addresses.iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(order("192.168.1.20"), ["192.168.1.20", "10.0.0.4", "fd00::2", "169.254.7.7", "172.17.0.1"]);
        assert_eq!(order("10.0.0.4")[..2], ["10.0.0.4", "192.168.1.20"]);
        // A default route through a tunnel does not make the tunnel reachable.
        assert_eq!(order("172.17.0.1")[..2], ["10.0.0.4", "192.168.1.20"]);
    }

    #[test]
    fn host_names_are_valid_in_urls() {
        assert_eq!(names_from("Desk"), ["desk.local", "desk"]);
        assert_eq!(names_from("desk.local"), ["desk.local", "desk"]);
        assert_eq!(names_from("desk.lab.example"), ["desk.local", "desk", "desk.lab.example"]);
        for invalid in ["", "localhost.", "Lenas Büro", "a_b", "a..b", &"x".repeat(64), "desk\n"] {
            assert_eq!(names_from(invalid), [""; 0], "{invalid:?}");
        }
        assert_eq!(names_from("localhost"), ["localhost.local"]);
    }
}
