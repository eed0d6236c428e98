//! Listens on ports of the loopback interface, or of all interfaces.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use socket2::{Domain, Protocol, Socket, Type};

/// Attempts to find a port that is free in IPv4 and IPv6.
const MAX_PORT_ATTEMPTS: u32 = 8;

/// Maximum number of connections that wait to be accepted; systems may have a lower limit. What exceeds it is dropped, and the client
/// tries again after a second. Larger than the number of connections that the server keeps.
const BACKLOG: i32 = 1024;

/// Listens on the loopback interface; port 0 selects a free port.
pub(super) fn listen_locally(port: u16) -> io::Result<TcpListener> {
    bind((Ipv4Addr::LOCALHOST, port).into())
}

/// Listens on all interfaces, with IPv4 and, if available, IPv6; port 0 selects a free port.
pub(super) fn listen(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    // A port that is free in IPv4 may be in use in IPv6: try another.
    let attempts = if port == 0 { MAX_PORT_ATTEMPTS } else { 0 };
    (0..attempts).find_map(|_| listen_on(port).ok()).map_or_else(|| listen_on(port), Ok)
}

fn listen_on(port: u16) -> io::Result<(u16, Vec<TcpListener>)> {
    let four = bind((Ipv4Addr::UNSPECIFIED, port).into())?;
    let port = four.local_addr()?.port();
    match bind((Ipv6Addr::UNSPECIFIED, port).into()) {
        Ok(six) => Ok((port, vec![four, six])),
        // IPv6 clients would reach another program.
        Err(error) if error.kind() == io::ErrorKind::AddrInUse => Err(error),
        Err(_) => Ok((port, vec![four])),
    }
}

/// One socket per protocol: systems differ in whether an IPv6 socket also accepts IPv4.
fn bind(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        socket.set_only_v6(true)?;
    }
    // Allows a port that was in use recently. On Windows, the option would share the port with other programs.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::fs;
    use std::net::TcpStream;
    use std::time::Duration;

    use super::*;

    #[test]
    fn connections_wait_until_they_are_accepted() {
        let listener = listen_locally(0).unwrap();
        let address = listener.local_addr().unwrap();
        // The system connects them by itself. More than the usual backlog of 128, fewer than the files of a process.
        let system_limit = fs::read_to_string("/proc/sys/net/core/somaxconn").ok();
        let count = system_limit.and_then(|limit| limit.trim().parse().ok()).map_or(150, |limit: usize| limit.min(150));
        let waiting: Vec<_> =
            (0..count).map_while(|_| TcpStream::connect_timeout(&address, Duration::from_secs(5)).ok()).collect();
        assert_eq!(waiting.len(), count);
    }
}
