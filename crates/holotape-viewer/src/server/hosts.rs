//! What the server is called by those who mean it.

use std::net::IpAddr;

use super::addresses;

/// A scheme, a port, and hosts as they stand in addresses, the best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerHosts {
    scheme: &'static str,
    usual_port: u16,
    port: u16,
    hosts: Vec<String>,
}

/// This machine, to itself.
const LOOPBACK_HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

impl ServerHosts {
    /// Those of a server that only this machine reaches.
    pub(super) fn loopback(port: u16) -> Self {
        Self { scheme: "http", usual_port: 80, port, hosts: LOOPBACK_HOSTS.map(str::to_owned).to_vec() }
    }

    /// Those of a server that other machines reach, in the order in which people would type them: addresses of IPv6 last.
    pub(super) fn lan(port: u16) -> Self {
        let (four, six): (Vec<_>, Vec<_>) = addresses::local_addresses().into_iter().partition(IpAddr::is_ipv4);
        let four = four.into_iter().map(bracketed);
        let six = six.into_iter().map(bracketed);
        let hosts = four.chain(addresses::host_names()).chain(six).chain(LOOPBACK_HOSTS.map(str::to_owned)).collect();
        Self { scheme: "https", usual_port: 443, port, hosts }
    }

    /// Hosts as certificates name them.
    pub(super) fn in_certificate(&self) -> Vec<String> {
        self.hosts.iter().map(|host| host.trim_matches(['[', ']']).to_owned()).collect()
    }

    /// The addresses of the page for other machines, the best first.
    pub(super) fn urls(&self) -> Vec<String> {
        let others = self.hosts.iter().filter(|host| !LOOPBACK_HOSTS.contains(&host.as_str()));
        others.map(|host| self.url_of(host)).collect()
    }

    /// The address of the page by one of the hosts.
    pub(super) fn url_of(&self, host: &str) -> String {
        format!("{}://{host}:{}/", self.scheme, self.port)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// The scheme, the host and the port, as browsers tell where a page comes from.
    pub(super) fn origin_of(&self, host: &str) -> String {
        format!("{}://{host}", self.scheme)
    }

    /// The best address, without a path.
    pub(super) fn preferred_url(&self) -> String {
        let host = self.hosts.first().map_or(LOOPBACK_HOSTS[0], String::as_str);
        self.origin_of(&format!("{host}:{}", self.port))
    }

    /// Whether a header `Host` names this server. The address that somebody has reached is always one of its own.
    pub(super) fn matches_host(&self, host: &str, reached: Option<IpAddr>) -> bool {
        let name = match host.strip_suffix(&format!(":{}", self.port)) {
            Some(name) => name,
            // Browsers leave out the port that is usual.
            None if self.port == self.usual_port => host,
            None => return false,
        };
        self.hosts.iter().any(|known| known == name) || reached.is_some_and(|address| bracketed(address) == name)
    }
}

/// An address as it stands in another one.
fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}
