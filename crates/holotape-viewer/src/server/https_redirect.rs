//! Redirects plain HTTP requests to HTTPS: browsers use HTTP for an address typed without a scheme.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::hosts::ServerHosts;

/// Maximum size of a request head.
const MAX_REQUEST_BYTES: usize = 1 << 14;

/// Redirects to the same host, or responds with an error if the host is unknown.
pub(super) async fn redirect_to_https(mut stream: TcpStream, hosts: &ServerHosts) -> io::Result<()> {
    let reached = stream.local_addr()?.ip();
    let mut request = Vec::new();
    while request.len() < MAX_REQUEST_BYTES && !request.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
        if stream.read_buf(&mut request).await? == 0 {
            break;
        }
    }
    let host = host_of(&request).filter(|host| hosts.matches_host(host, Some(reached)));
    stream.write_all(redirect_response(host.as_deref(), hosts).as_bytes()).await?;
    stream.shutdown().await?;
    // Closing with unread data would reset the connection before the client reads the response.
    let mut rest = [0; 1024];
    for _ in 0..MAX_REQUEST_BYTES / rest.len() {
        if stream.read(&mut rest).await? == 0 {
            break;
        }
    }
    Ok(())
}

/// The host of a GET or HEAD request.
fn host_of(request: &[u8]) -> Option<String> {
    let request = str::from_utf8(request).ok()?;
    let (line, headers) = request.split_once("\r\n")?;
    if !line.starts_with("GET ") && !line.starts_with("HEAD ") {
        return None;
    }
    let mut headers = headers.lines().filter_map(|header| header.split_once(':'));
    let (_, host) = headers.find(|(name, _)| name.eq_ignore_ascii_case("host"))?;
    Some(host.trim().to_ascii_lowercase())
}

/// Drops the path, so that the response does not reveal which paths exist.
fn redirect_response(host: Option<&str>, hosts: &ServerHosts) -> String {
    let (status, location, address) = match host.map(|host| hosts.origin_of(host)) {
        Some(address) => ("307 Temporary Redirect", format!("Location: {address}/\r\n"), address),
        None => ("400 Bad Request", String::new(), hosts.preferred_url()),
    };
    let message = format!("This server requires HTTPS: open {address}/\n");
    format!(
        "HTTP/1.1 {status}\r\n{location}Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{message}",
        message.len()
    )
}
