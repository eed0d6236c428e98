//! Listens on ports of all interfaces.

use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use socket2::{Domain, Protocol, Socket, Type};

/// Attempts to find a port that is free in IPv4 and IPv6.
const MAX_PORT_ATTEMPTS: u32 = 8;

/// Maximum number of connections that wait to be accepted.
const BACKLOG: i32 = 128;

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
