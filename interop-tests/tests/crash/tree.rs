//! A folder in memory.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The number of a file or folder.
pub type Inode = usize;

/// The root of every [`Tree`].
pub const ROOT: Inode = 0;

#[derive(Clone, Debug)]
pub enum Node {
    Folder(BTreeMap<String, Inode>),
    File(Vec<u8>),
}

/// Files and folders by inode. Those without an entry in a folder are not reachable.
#[derive(Clone, Debug)]
pub struct Tree(pub Vec<Node>);

/// The paths of all files and folders, relative to the root; `None` for a folder.
pub type Paths = BTreeMap<String, Option<Vec<u8>>>;

impl Tree {
    pub fn read(folder: &Path) -> Self {
        let mut tree = Self(Vec::new());
        tree.add_folder(folder);
        tree
    }

    fn add_folder(&mut self, folder: &Path) -> Inode {
        let inode = self.add(Node::Folder(BTreeMap::new()));
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let child = match fs::symlink_metadata(&path).expect("metadata") {
                metadata if metadata.is_dir() => self.add_folder(&path),
                metadata if metadata.is_file() => self.add(Node::File(fs::read(&path).expect("a file"))),
                _ => panic!("{}: neither a file nor a folder", path.display()),
            };
            let name = path.file_name().expect("a name").to_string_lossy().into_owned();
            self.entries_mut(inode).insert(name, child);
        }
        inode
    }

    pub fn add(&mut self, node: Node) -> Inode {
        self.0.push(node);
        self.0.len() - 1
    }

    pub fn entries(&self, folder: Inode) -> &BTreeMap<String, Inode> {
        match &self.0[folder] {
            Node::Folder(entries) => entries,
            Node::File(_) => panic!("inode {folder} is not a folder"),
        }
    }

    pub fn entries_mut(&mut self, folder: Inode) -> &mut BTreeMap<String, Inode> {
        match &mut self.0[folder] {
            Node::Folder(entries) => entries,
            Node::File(_) => panic!("inode {folder} is not a folder"),
        }
    }

    pub fn content(&self, file: Inode) -> &Vec<u8> {
        match &self.0[file] {
            Node::File(content) => content,
            Node::Folder(_) => panic!("inode {file} is not a file"),
        }
    }

    pub fn content_mut(&mut self, file: Inode) -> &mut Vec<u8> {
        match &mut self.0[file] {
            Node::File(content) => content,
            Node::Folder(_) => panic!("inode {file} is not a file"),
        }
    }

    /// All reachable files and folders.
    pub fn paths(&self) -> Paths {
        let mut paths = Paths::new();
        let mut pending = vec![(String::new(), ROOT)];
        while let Some((path, inode)) = pending.pop() {
            for (name, child) in self.entries(inode) {
                let path = if path.is_empty() { name.clone() } else { format!("{path}/{name}") };
                match &self.0[*child] {
                    Node::Folder(_) => {
                        paths.insert(path.clone(), None);
                        pending.push((path, *child));
                    }
                    Node::File(content) => _ = paths.insert(path, Some(content.clone())),
                }
            }
        }
        paths
    }
}

/// Creates files and folders.
pub fn write_paths(paths: &Paths, folder: &Path) {
    for (path, content) in paths {
        let path = folder.join(path);
        match content {
            None => fs::create_dir(path).expect("a folder"),
            Some(content) => fs::write(path, content).expect("a file"),
        }
    }
}
