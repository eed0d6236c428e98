//! The operations of a traced program on one folder.
//!
//! Every logged system call is either understood, known not to change a file, or a panic. After the run the operations must
//! result in exactly the files on disk, so no change is missed.

use std::collections::{BTreeMap, HashMap};
use std::path::{Component, Path, PathBuf};

use crate::strace::{self, Syscall, bytes, descriptor, descriptor_path, text};
use crate::tree::{Inode, Node, ROOT, Tree};

/// A name in a folder.
pub type Entry = (Inode, String);

#[derive(Debug)]
pub enum Op {
    /// Creates a file or folder with this inode.
    Create {
        entry: Entry,
        inode: Inode,
        is_folder: bool,
    },
    Rename {
        from: Entry,
        to: Entry,
    },
    Remove {
        entry: Entry,
    },
    Write {
        file: Inode,
        offset: usize,
        data: Vec<u8>,
    },
    Truncate {
        file: Inode,
        len: usize,
    },
    /// Makes durable what had completed when the first `started` operations had.
    Sync {
        inode: Inode,
        started: usize,
    },
    /// Bytes that were sent to a client, on this descriptor.
    Send {
        to: i64,
        data: Vec<u8>,
    },
}

/// The contents of a folder before a program ran, and what the program did.
pub struct Trace {
    pub initial: Tree,
    pub ops: Vec<Op>,
    /// The contents after all operations.
    pub last: Tree,
}

impl Trace {
    /// `initial` is the content of `root` before the calls.
    pub fn new(root: &Path, initial: Tree, calls: &[Syscall]) -> Self {
        let trace = Self { initial: initial.clone(), ops: Vec::new(), last: initial };
        let mut tracker = Tracker { root, trace, open: HashMap::new(), completed: Vec::new() };
        for call in calls {
            tracker.completed.push(tracker.trace.ops.len());
            tracker.call(call);
        }
        assert!(tracker.trace.last.paths() == Tree::read(root).paths(), "the log does not explain the files on disk");
        tracker.trace
    }
}

/// An open file or folder of the traced process.
#[derive(Clone, Copy)]
struct Open {
    inode: Inode,
    offset: usize,
    is_append: bool,
    is_read_only: bool,
}

struct Tracker<'a> {
    root: &'a Path,
    trace: Trace,
    /// By descriptor. Threads share them.
    open: HashMap<i64, Open>,
    /// The number of operations before each call.
    completed: Vec<usize>,
}

impl Tracker<'_> {
    fn call(&mut self, call: &Syscall) {
        let Syscall { name, args, .. } = call;
        let result = match call.result {
            Some(result) if result >= 0 => result,
            None if self.was_removed(call) => 0,
            _ => return,
        };
        match name.as_str() {
            "open" | "creat" => self.open(&text(&args[0]), args.get(1).map_or("", String::as_str), result),
            "openat" => self.open(&path_at(&args[0], &args[1]), &args[2], result),
            "close" => _ = self.open.remove(&descriptor(&args[0])),
            "dup" | "dup2" | "dup3" => assert!(self.opened(&args[0]).is_none(), "{name} is not modelled"),
            "fcntl" if args[1].starts_with("F_DUP") => self.duplicate(&args[0], result),
            "fcntl" => {}
            "lseek" => self.seek(&args[0], result),
            "mmap" => {
                let is_shared = args[2].contains("PROT_WRITE") && args[3].contains("MAP_SHARED");
                assert!(
                    !is_shared || args[4] == "-1" || self.opened(&args[4]).is_none(),
                    "shared mappings are not modelled"
                );
            }
            "write" | "writev" | "sendto" | "sendmsg" => self.write(&args[0], &args[1], result),
            "pwrite64" => self.write_at(&args[0], &args[1], &args[3], result),
            "ftruncate" => self.truncate(&args[0], &args[1]),
            "rename" => self.rename(&text(&args[0]), &text(&args[1])),
            "renameat" | "renameat2" => {
                assert!(!args.get(4).is_some_and(|flags| flags.contains("EXCHANGE")), "exchanges are not modelled");
                self.rename(&path_at(&args[0], &args[1]), &path_at(&args[2], &args[3]));
            }
            "unlink" | "rmdir" => self.remove(&text(&args[0])),
            "unlinkat" => self.remove(&path_at(&args[0], &args[1])),
            "mkdir" => self.create(&text(&args[0]), true),
            "mkdirat" => self.create(&path_at(&args[0], &args[1]), true),
            "fsync" | "fdatasync" => self.sync(&args[0], call.started),
            // The first one starts the program.
            "execve" => assert!(self.trace.ops.is_empty(), "other programs are not modelled"),
            _ => self.check_unrelated(call),
        }
    }

    /// Whether a call that was interrupted by the end of the process has removed a file nevertheless. Journals are removed by a
    /// thread that the process does not wait for.
    fn was_removed(&self, Syscall { name, args, .. }: &Syscall) -> bool {
        name == "unlink" && self.find(&text(&args[0])).is_some() && !Path::new(&text(&args[0])).exists()
    }

    /// Panics if a system call that is not modelled concerns the folder.
    fn check_unrelated(&self, Syscall { name, args, .. }: &Syscall) {
        let always = ["chdir", "fchdir", "fork", "vfork", "close_range", "sync", "syncfs", "msync", "io_uring_setup"];
        assert!(!always.contains(&name.as_str()), "{name} is not modelled");
        for arg in args {
            let is_descriptor = arg.contains('<') && self.relative(&descriptor_path(arg)).is_some();
            let is_path = arg.starts_with('"') && self.relative(&String::from_utf8_lossy(&bytes(arg))).is_some();
            assert!(!is_descriptor && !is_path, "{name} is not modelled: {args:?}");
        }
    }

    /// The open file or folder of a descriptor, if it is below the root.
    fn opened(&self, arg: &str) -> Option<Open> {
        let open = self.open.get(&descriptor(arg)).copied();
        let is_below = self.relative(&descriptor_path(arg)).is_some();
        assert_eq!(open.is_some(), is_below, "the descriptor {arg} ({}) is not tracked", descriptor_path(arg));
        open
    }

    /// The components below the root.
    fn relative(&self, path: &str) -> Option<Vec<String>> {
        let normal: PathBuf = Path::new(path).components().filter(|part| *part != Component::CurDir).collect();
        assert!(!normal.components().any(|part| part == Component::ParentDir), "{path}: .. is not modelled");
        let below = normal.strip_prefix(self.root).ok()?;
        Some(below.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect())
    }

    /// The folder and the name of a path below the root.
    fn entry(&self, path: &str) -> Option<Entry> {
        let mut parts = self.relative(path)?;
        let name = parts.pop()?;
        let step = |folder, part: &String| self.trace.last.entries(folder)[part];
        Some((parts.iter().fold(ROOT, step), name))
    }

    fn find(&self, path: &str) -> Option<Inode> {
        if self.relative(path)?.is_empty() {
            return Some(ROOT);
        }
        let (folder, name) = self.entry(path)?;
        self.trace.last.entries(folder).get(&name).copied()
    }

    fn open(&mut self, path: &str, flags: &str, descriptor: i64) {
        if self.relative(path).is_none() {
            return;
        }
        if self.find(path).is_none() {
            assert!(flags.contains("O_CREAT") && !flags.contains("O_TMPFILE"), "{path} is not tracked");
            self.create(path, false);
        } else if flags.contains("O_TRUNC") {
            let file = self.find(path).expect("it exists");
            self.apply(Op::Truncate { file, len: 0 });
        }
        let inode = self.find(path).expect("it exists");
        let (is_append, is_read_only) = (flags.contains("O_APPEND"), flags.contains("O_RDONLY"));
        self.open.insert(descriptor, Open { inode, offset: 0, is_append, is_read_only });
    }

    /// Descriptors share an offset, which matters only if they can be written to.
    fn duplicate(&mut self, arg: &str, descriptor: i64) {
        if let Some(open) = self.opened(arg) {
            assert!(open.is_read_only, "duplicates of writable descriptors are not modelled");
            self.open.insert(descriptor, open);
        }
    }

    fn seek(&mut self, arg: &str, offset: i64) {
        if self.opened(arg).is_some() {
            let open = self.open.get_mut(&descriptor(arg)).expect("it is open");
            open.offset = usize::try_from(offset).expect("an offset");
        }
    }

    fn write(&mut self, arg: &str, data: &str, written: i64) {
        let written = usize::try_from(written).expect("a length");
        let Some(open) = self.opened(arg) else {
            return self.apply(Op::Send { to: descriptor(arg), data: bytes(data) });
        };
        let offset = if open.is_append { self.trace.last.content(open.inode).len() } else { open.offset };
        self.apply(Op::Write { file: open.inode, offset, data: bytes(data)[..written].to_vec() });
        self.seek(arg, (offset + written) as i64);
    }

    fn write_at(&mut self, arg: &str, data: &str, offset: &str, written: i64) {
        if let Some(open) = self.opened(arg) {
            let data = bytes(data)[..usize::try_from(written).expect("a length")].to_vec();
            self.apply(Op::Write { file: open.inode, offset: offset.parse().expect("an offset"), data });
        }
    }

    fn truncate(&mut self, arg: &str, len: &str) {
        if let Some(open) = self.opened(arg) {
            self.apply(Op::Truncate { file: open.inode, len: len.parse().expect("a length") });
        }
    }

    fn create(&mut self, path: &str, is_folder: bool) {
        if let Some(entry) = self.entry(path) {
            let inode = self.trace.last.0.len();
            self.apply(Op::Create { entry, inode, is_folder });
        }
    }

    fn rename(&mut self, from: &str, to: &str) {
        match (self.entry(from), self.entry(to)) {
            (Some(from), Some(to)) => self.apply(Op::Rename { from, to }),
            (None, None) => {}
            _ => panic!("{from} is renamed to {to}, across the border of the folder"),
        }
    }

    fn remove(&mut self, path: &str) {
        if let Some(entry) = self.entry(path) {
            self.apply(Op::Remove { entry });
        }
    }

    fn sync(&mut self, arg: &str, started: usize) {
        if let Some(open) = self.opened(arg) {
            let started = self.completed.get(started).copied().unwrap_or(self.trace.ops.len());
            self.apply(Op::Sync { inode: open.inode, started });
        }
    }

    fn apply(&mut self, op: Op) {
        op.apply(&mut self.trace.last);
        self.trace.ops.push(op);
    }
}

/// A path, resolved by a descriptor of a folder.
fn path_at(folder: &str, path: &str) -> String {
    Path::new(&strace::descriptor_path(folder)).join(text(path)).to_string_lossy().into_owned()
}

impl Op {
    /// The folder entries that the operation changes.
    pub fn entries(&self) -> Vec<&Entry> {
        match self {
            Self::Create { entry, .. } | Self::Remove { entry } => vec![entry],
            Self::Rename { from, to } => vec![from, to],
            _ => Vec::new(),
        }
    }

    /// The file or folder that must be synced to make the operation durable.
    pub fn sync_target(&self) -> Option<Inode> {
        match self {
            Self::Create { entry, .. } | Self::Remove { entry } | Self::Rename { to: entry, .. } => Some(entry.0),
            Self::Write { file, .. } | Self::Truncate { file, .. } => Some(*file),
            Self::Sync { .. } | Self::Send { .. } => None,
        }
    }

    pub fn is_data(&self) -> bool {
        matches!(self, Self::Write { .. } | Self::Truncate { .. })
    }

    pub fn apply(&self, tree: &mut Tree) {
        match self {
            Self::Create { entry: (folder, name), inode, is_folder } => {
                while tree.0.len() <= *inode {
                    tree.add(Node::File(Vec::new()));
                }
                if *is_folder {
                    tree.0[*inode] = Node::Folder(BTreeMap::new());
                }
                tree.entries_mut(*folder).insert(name.clone(), *inode);
            }
            Self::Rename { from, to } => {
                let inode = tree.entries_mut(from.0).remove(&from.1).expect("the renamed entry");
                tree.entries_mut(to.0).insert(to.1.clone(), inode);
            }
            Self::Remove { entry: (folder, name) } => _ = tree.entries_mut(*folder).remove(name),
            Self::Write { file, offset, data } => write_at(tree.content_mut(*file), *offset, data),
            Self::Truncate { file, len } => tree.content_mut(*file).resize(*len, 0),
            Self::Sync { .. } | Self::Send { .. } => {}
        }
    }
}

/// Overwrites bytes, and extends the content if necessary.
pub fn write_at(content: &mut Vec<u8>, offset: usize, data: &[u8]) {
    content.resize(content.len().max(offset + data.len()), 0);
    content[offset..offset + data.len()].copy_from_slice(data);
}
