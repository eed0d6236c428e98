//! Runs the program under strace and parses the log.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;
use std::process::Command;

use holotape_interop_tests::holotape;

/// The system calls that strace logs: all that change files, directories or file descriptors, and those that send to sockets.
const LOGGED: &str = "open,openat,openat2,creat,close,close_range,dup,dup2,dup3,fcntl,lseek,mmap,\
    write,pwrite64,writev,pwritev,pwritev2,sendto,sendmsg,copy_file_range,sendfile,splice,truncate,ftruncate,fallocate,\
    rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,mkdir,mkdirat,mknod,mknodat,\
    chdir,fchdir,fsync,fdatasync,sync,syncfs,sync_file_range,msync,fork,vfork,execve,io_uring_setup";

/// One system call.
pub struct Syscall {
    pub name: String,
    pub args: Vec<String>,
    /// `None` if the process ended during the call.
    pub result: Option<i64>,
    /// How many calls had completed when it started.
    pub started: usize,
}

/// The program under strace, which writes to `log`. Append the program's arguments.
pub fn traced_holotape(log: &Path) -> Command {
    let mut command = Command::new("strace");
    // All strings in hexadecimal, complete. File descriptors with their paths.
    command.args(["-f", "-y", "-xx", "-s", "16777216", "--seccomp-bpf", "-e"]);
    command.arg(format!("trace={LOGGED}")).arg("-o").arg(log).arg("--").arg(holotape().get_program());
    command
}

/// Runs the program to its end.
pub fn run<S: AsRef<OsStr>>(log: &Path, args: impl IntoIterator<Item = S>) -> Vec<Syscall> {
    let mut command = traced_holotape(log);
    let output = command.args(args).output().expect("strace is missing; `cargo xtask test` installs it");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    read(log)
}

/// Parses a log.
pub fn read(log: &Path) -> Vec<Syscall> {
    let log = fs::read_to_string(log).expect("a log in ASCII");
    let mut calls = Vec::new();
    // By thread: the call that has not returned yet, and when it started.
    let mut unfinished: HashMap<&str, (String, usize)> = HashMap::new();
    for line in log.lines() {
        let (thread, event) = line.split_once(' ').unwrap_or_else(|| panic!("no thread in {line}"));
        let event = event.trim_start();
        if event.starts_with("+++") || event.starts_with("---") {
            continue;
        }
        if let Some(start) = event.strip_suffix(" <unfinished ...>") {
            if start.starts_with("close(") {
                // At its start: before it returns, another thread can receive the same descriptor.
                calls.push(parse(&format!("{start}) = 0"), calls.len()));
            }
            unfinished.insert(thread, (start.to_owned(), calls.len()));
            continue;
        }
        let (text, started) = match event.strip_prefix("<... ") {
            Some(end) => {
                let (_, end) = end.split_once(" resumed>").unwrap_or_else(|| panic!("cannot parse {line}"));
                let (start, started) = unfinished.remove(thread).unwrap_or_else(|| panic!("no start of {line}"));
                (start + end, started)
            }
            None => (event.to_owned(), calls.len()),
        };
        if !event.starts_with("<... close") {
            calls.push(parse(&text, started));
        }
    }
    let interrupted = unfinished.into_values().filter(|(start, _)| !start.starts_with("close("));
    calls.extend(interrupted.map(|(start, started)| parse(&format!("{start}) = ?"), started)));
    calls
}

/// Parses `name(args) = result`.
fn parse(text: &str, started: usize) -> Syscall {
    let (name, rest) = text.split_once('(').unwrap_or_else(|| panic!("cannot parse {text}"));
    // Strings are hexadecimal, so this is not part of one.
    let (args, result) = rest.rsplit_once(" = ").unwrap_or_else(|| panic!("no result: {text}"));
    let args = args.trim_end().strip_suffix(')').unwrap_or_else(|| panic!("cannot parse {text}"));
    let number = result.split([' ', '<']).next().unwrap_or_default();
    let result = match number.strip_prefix("0x") {
        _ if number == "?" => Ok(None),
        Some(digits) => i64::from_str_radix(digits, 16).map(Some),
        None => number.parse().map(Some),
    };
    let result = result.unwrap_or_else(|error| panic!("{error}: {text}"));
    Syscall { name: name.to_owned(), args: split_args(args), result, started }
}

/// Splits at commas that are not inside of brackets.
fn split_args(args: &str) -> Vec<String> {
    let (mut split, mut depth) = (vec![String::new()], 0);
    for char in args.chars() {
        match char {
            '[' | '{' => depth += 1,
            ']' | '}' => depth -= 1,
            _ => {}
        }
        match split.last_mut() {
            Some(arg) if char != ',' || depth > 0 => arg.push(char),
            _ => split.push(String::new()),
        }
    }
    split.into_iter().map(|arg| arg.trim().to_owned()).collect()
}

/// The number of a file descriptor, as in `3<\x2f\x61>`.
pub fn descriptor(arg: &str) -> i64 {
    let number = arg.split('<').next().unwrap_or_default();
    if number == "AT_FDCWD" { -100 } else { number.parse().unwrap_or_else(|_| panic!("not a descriptor: {arg}")) }
}

/// The path of a file descriptor; empty for a descriptor without one.
pub fn descriptor_path(arg: &str) -> String {
    let path = arg.split_once('<').and_then(|(_, path)| path.split_once('>')).map(|(path, _)| path);
    String::from_utf8(unescape(path.unwrap_or_default())).expect("UTF-8")
}

/// The bytes of all strings in an argument: of one string, or of the parts of a vectored write.
pub fn bytes(arg: &str) -> Vec<u8> {
    assert!(!arg.contains("..."), "strace truncated a string");
    arg.split('"').skip(1).step_by(2).flat_map(unescape).collect()
}

/// The text of a string.
pub fn text(arg: &str) -> String {
    String::from_utf8(bytes(arg)).expect("UTF-8")
}

fn unescape(hex: &str) -> Vec<u8> {
    if !hex.starts_with("\\x") {
        return hex.as_bytes().to_vec();
    }
    let digits = hex.split("\\x").skip(1);
    digits
        .map(|digits| u8::from_str_radix(digits, 16).unwrap_or_else(|_| panic!("not hexadecimal: {digits}")))
        .collect()
}
