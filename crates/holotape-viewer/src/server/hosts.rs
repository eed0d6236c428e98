//! The hosts and origins under which the server is reachable.

use std::net::IpAddr;

use super::addresses;

/// Scheme, port, and hosts as written in URLs, preferred one first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ServerHosts {
    scheme: &'static str,
    port: u16,
    hosts: Vec<String>,
}

const LOOPBACK_HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

impl ServerHosts {
    /// For a server on the loopback interface.
    pub(super) fn loopback(port: u16) -> Self {
        Self { scheme: "http", port, hosts: LOOPBACK_HOSTS.map(str::to_owned).to_vec() }
    }

    /// For a server in the local network. IPv6 addresses come last because they are hard to type.
    pub(super) fn lan(port: u16) -> Self {
        let (four, six): (Vec<_>, Vec<_>) = addresses::local_addresses().into_iter().partition(IpAddr::is_ipv4);
        let four = four.into_iter().map(bracketed);
        let six = six.into_iter().map(bracketed);
        let hosts = four.chain(addresses::host_names()).chain(six).chain(LOOPBACK_HOSTS.map(str::to_owned)).collect();
        Self { scheme: "https", port, hosts }
    }

    /// The hosts as subject alternative names.
    pub(super) fn subject_names(&self) -> Vec<String> {
        self.hosts.iter().map(|host| host.trim_matches(['[', ']']).to_owned()).collect()
    }

    /// URLs of the page for other machines, preferred one first.
    pub(super) fn urls(&self) -> Vec<String> {
        let others = self.hosts.iter().filter(|host| !LOOPBACK_HOSTS.contains(&host.as_str()));
        others.map(|host| self.url_of(host)).collect()
    }

    pub(super) fn url_of(&self, host: &str) -> String {
        format!("{}://{host}:{}/", self.scheme, self.port)
    }

    pub(super) fn port(&self) -> u16 {
        self.port
    }

    /// The origin for a host with port, as browsers send it.
    pub(super) fn origin_of(&self, host: &str) -> String {
        format!("{}://{host}", self.scheme)
    }

    /// The preferred URL, without a path.
    pub(super) fn preferred_url(&self) -> String {
        let host = self.hosts.first().map_or(LOOPBACK_HOSTS[0], String::as_str);
        self.origin_of(&format!("{host}:{}", self.port))
    }

    pub(super) fn is_secure(&self) -> bool {
        self.scheme == "https"
    }

    /// Whether a `Host` header is one of this server's, or the local address of the connection. It may have any port: that of a
    /// tunnel such as `ssh -L` differs from the server's.
    pub(super) fn matches_host(&self, host: &str, reached: Option<IpAddr>) -> bool {
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.parse::<u16>().is_ok() => name,
            _ => host,
        };
        self.hosts.iter().any(|known| known == name) || reached.is_some_and(|address| bracketed(address) == name)
    }
}

/// An address as written in a URL.
fn bracketed(address: IpAddr) -> String {
    match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    }
}
