//! Those who say `http://` to a server of `https://`, as browsers do with an address that somebody typed.

use std::io;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::hosts::ServerHosts;

/// More than any browser says before it waits for an answer.
const MAX_BYTES: usize = 1 << 14;

/// Sends a browser to the same host by `https`, and tells everybody else.
pub(super) async fn redirect_to_https(mut stream: TcpStream, names: &ServerHosts) -> io::Result<()> {
    let reached = stream.local_addr()?.ip();
    let mut request = Vec::new();
    while request.len() < MAX_BYTES && !request.windows(4).any(|bytes| bytes == b"\r\n\r\n") {
        if stream.read_buf(&mut request).await? == 0 {
            break;
        }
    }
    let host = host_of(&request).filter(|host| names.matches_host(host, Some(reached)));
    stream.write_all(redirect_response(host.as_deref(), names).as_bytes()).await?;
    stream.shutdown().await?;
    // What is not read would have the system cut off the answer.
    let mut rest = [0; 1024];
    for _ in 0..MAX_BYTES / rest.len() {
        if stream.read(&mut rest).await? == 0 {
            break;
        }
    }
    Ok(())
}

/// The host that a request to look at something is meant for.
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

/// The path goes nowhere: nobody is told by this what is there.
fn redirect_response(host: Option<&str>, names: &ServerHosts) -> String {
    let (status, location, address) = match host.map(|host| names.origin_of(host)) {
        Some(address) => ("307 Temporary Redirect", format!("Location: {address}/\r\n"), address),
        None => ("400 Bad Request", String::new(), names.preferred_url()),
    };
    let message = format!("This is encrypted: open {address}/\n");
    format!(
        "HTTP/1.1 {status}\r\n{location}Content-Type: text/plain; charset=utf-8\r\nContent-Length: {}\r\n\
         Cache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nConnection: close\r\n\r\n{message}",
        message.len()
    )
}
