//! The command for Windows under Wine, seen from Linux.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use super::wine::Wine;
use crate::Result;
use crate::run::{command, run, target};
use crate::web;

/// Fails if the command writes other bytes for Windows than for Linux, or if its viewer does not answer a browser on Linux.
pub fn check(program: &Path, wine: &Wine) -> Result {
    let folder = target().join("windows-program");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    run(&mut web::build_viewer_binary())?;
    let linux = target().join("debug/holotape");
    compare_demos(command(&linux.to_string_lossy()), wine.command(program), &folder)?;
    check_viewer(wine.command(program).current_dir(&folder).args(["view", "--no-open", "windows.bin"]))
}

/// The recording and its page.
fn compare_demos(mut linux: Command, mut windows: Command, folder: &Path) -> Result {
    run(linux.current_dir(folder).args(["demo", "linux.bin"]))?;
    run(windows.current_dir(folder).args(["demo", "windows.bin"]))?;
    let read = |name: &str| fs::read(folder.join(name)).map_err(|error| format!("{name}: {error}"));
    if read("linux.bin")? != read("windows.bin")? {
        return Err(format!("{}: linux.bin and windows.bin differ", folder.display()));
    }
    println!("`holotape demo` writes the same bytes on Windows and on Linux");
    Ok(())
}

fn check_viewer(view: &mut Command) -> Result {
    let mut child = view.stdout(Stdio::piped()).spawn().map_err(|error| format!("view: {error}"))?;
    let answered = ask(&mut child);
    let ended = child.kill().and_then(|()| child.wait()).map_err(|error| format!("view: {error}"));
    answered.and(ended.map(drop))
}

fn ask(child: &mut Child) -> Result {
    let mut line = String::new();
    let stdout = child.stdout.take().ok_or("view: no output")?;
    BufReader::new(stdout).read_line(&mut line).map_err(|error| format!("view: {error}"))?;
    let (host, token) = address(&line).ok_or_else(|| format!("view: no address in {line:?}"))?;
    for (path, expected) in [("/", "<!doctype html>"), ("/api/state", "windows.bin")] {
        let response = get(host, token, path).map_err(|error| format!("{host}{path}: {error}"))?;
        if !response.starts_with("HTTP/1.1 200") || !response.to_lowercase().contains(expected) {
            return Err(format!("{host}{path}: unexpected response: {response:.300}"));
        }
    }
    println!("`holotape view` on Windows answers a client on Linux");
    Ok(())
}

/// The host and the token in `http://127.0.0.1:8000/?token=secret  (Ctrl-C stops it)`.
fn address(line: &str) -> Option<(&str, &str)> {
    let url = line.split_whitespace().next()?;
    url.strip_prefix("http://")?.split_once("/?token=")
}

fn get(host: &str, token: &str, path: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(host)?;
    write!(
        stream,
        "GET {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n\r\n"
    )?;
    let mut response = Vec::new();
    stream.read_to_end(&mut response)?;
    Ok(String::from_utf8_lossy(&response).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_has_host_and_token() {
        let line = "http://127.0.0.1:8000/?token=secret  (Ctrl-C stops it)\n";
        assert_eq!(address(line), Some(("127.0.0.1:8000", "secret")));
        assert_eq!(address("error: no port"), None);
    }
}
