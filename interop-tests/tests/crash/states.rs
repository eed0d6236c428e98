//! The states of a folder that a crash can leave.
//!
//! If the process is killed, the operating system still has every completed operation. A power failure keeps what was synced,
//! and any part of the rest:
//!
//! - The content of a file is durable after a sync of that file; until then, any of its pages may be old, new or zero.
//! - A folder entry is durable after a sync of that folder; until then it may be old or new, in any order with other entries.
//!   Changes of one entry stay in order, and a rename changes both of its entries at once.

use std::collections::HashSet;

use crate::trace::{Op, Trace, write_at};
use crate::tree::{Inode, Node, Paths, Tree};

/// Unsynced content is lost in units of this size.
const PAGE_BYTES: usize = 4096;

/// Traces with more operations than this are sampled.
const MAX_POINTS: usize = 400;

/// How many random states are tried per crash point.
const RANDOM_STATES: u64 = 5;

/// What a crash loses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The process is killed: nothing that it wrote is lost.
    Killed,
    /// A power failure that keeps a prefix of the unsynced writes of each file.
    PowerInOrder,
    /// A power failure that keeps any pages of the unsynced writes of each file.
    PowerAnyOrder,
}

/// A state after a crash.
pub struct State {
    /// How many operations had completed.
    pub point: usize,
    pub loss: Loss,
    pub paths: Paths,
}

/// Calls `check` with the states after a crash at every point of a trace. Prints and returns their number.
pub fn replay(name: &str, trace: &Trace, mut check: impl FnMut(&State)) -> usize {
    let points = crash_points(&trace.ops);
    let model = CrashModel::new(trace);
    let mut states = 0;
    let mut check_state = |point, loss, choice: Choice| {
        check(&State { point, loss, paths: model.crash(point, choice) });
        states += 1;
    };
    for point in &points {
        let point = *point;
        check_state(point, Loss::Killed, Choice { entries: Keep::All, data: KeepData::All });
        for entries in [Keep::All, Keep::None] {
            check_state(point, Loss::PowerInOrder, Choice { entries, data: KeepData::None });
        }
        check_state(point, Loss::PowerInOrder, Choice { entries: Keep::None, data: KeepData::All });
        for seed in 0..RANDOM_STATES {
            let seed = point as u64 * RANDOM_STATES + seed;
            let entries = Keep::Random(Random(seed));
            check_state(point, Loss::PowerInOrder, Choice { entries, data: KeepData::Prefix(Random(!seed)) });
            check_state(point, Loss::PowerAnyOrder, Choice { entries, data: KeepData::Pages(Random(!seed)) });
        }
    }
    println!("{name}: {} operations, {} prefixes, {states} states", trace.ops.len(), points.len());
    states
}

/// All points next to operations on folder entries and syncs; of the others an even sample.
fn crash_points(ops: &[Op]) -> Vec<usize> {
    let is_step = |at: usize| ops.get(at).is_none_or(|op| !op.is_data() && !matches!(op, Op::Send { .. }));
    let (mut points, others): (Vec<_>, Vec<_>) =
        (0..=ops.len()).partition(|point| is_step(*point) || *point > 0 && is_step(*point - 1));
    let step = others.len().div_ceil(MAX_POINTS.saturating_sub(points.len()).max(1)).max(1);
    points.extend(others.into_iter().step_by(step));
    points.sort_unstable();
    points
}

/// Which unsynced operations are kept.
#[derive(Clone, Copy)]
struct Choice {
    entries: Keep,
    data: KeepData,
}

#[derive(Clone, Copy)]
enum Keep {
    All,
    None,
    Random(Random),
}

#[derive(Clone, Copy)]
enum KeepData {
    All,
    None,
    Prefix(Random),
    Pages(Random),
}

struct CrashModel<'a> {
    trace: &'a Trace,
    /// For each operation, the position of the sync that made it durable.
    synced_at: Vec<usize>,
}

impl<'a> CrashModel<'a> {
    fn new(trace: &'a Trace) -> Self {
        let synced_at = trace.ops.iter().enumerate().map(|(number, op)| {
            let makes_durable = |later: &Op| match later {
                Op::Sync { inode, started } => op.sync_target() == Some(*inode) && *started > number,
                _ => false,
            };
            trace.ops.iter().position(makes_durable).unwrap_or(usize::MAX)
        });
        Self { trace, synced_at: synced_at.collect() }
    }

    /// The files after a crash when `point` operations had completed.
    fn crash(&self, point: usize, choice: Choice) -> Paths {
        let ops = &self.trace.ops[..point];
        let mut tree = self.files(point, choice.data);
        for number in self.kept_entries(point, choice.entries) {
            ops[number].apply(&mut tree);
        }
        tree.paths()
    }

    fn is_durable(&self, number: usize, point: usize) -> bool {
        self.synced_at[number] < point
    }

    /// The operations on folder entries that survive, in order.
    fn kept_entries(&self, point: usize, keep: Keep) -> Vec<usize> {
        let mut random = match keep {
            Keep::Random(random) => random,
            _ => Random(0),
        };
        let (mut kept, mut entries) = (Vec::new(), HashSet::new());
        for (number, op) in self.trace.ops[..point].iter().enumerate().rev() {
            let changed = op.entries();
            let is_chosen = match keep {
                Keep::All => true,
                Keep::None => false,
                Keep::Random(_) => random.below(2) == 1,
            };
            // Changes of one entry stay in order: if a later one is on disk, so are those before.
            let is_required = changed.iter().any(|entry| entries.contains(entry));
            if !changed.is_empty() && (is_chosen || is_required || self.is_durable(number, point)) {
                entries.extend(changed);
                kept.push(number);
            }
        }
        kept.reverse();
        kept
    }

    /// All files with their contents, and folders as before the first operation.
    fn files(&self, point: usize, keep: KeepData) -> Tree {
        let nodes =
            self.trace.last.0.iter().enumerate().map(|(inode, node)| match (node, self.trace.initial.0.get(inode)) {
                (_, Some(Node::Folder(entries))) => Node::Folder(entries.clone()),
                (Node::Folder(_), _) => Node::Folder(Default::default()),
                (Node::File(_), _) => Node::File(self.content(inode, point, keep)),
            });
        Tree(nodes.collect())
    }

    fn content(&self, file: Inode, point: usize, keep: KeepData) -> Vec<u8> {
        let initial = match self.trace.initial.0.get(file) {
            Some(Node::File(content)) => content.clone(),
            _ => Vec::new(),
        };
        let ops = self.trace.ops[..point].iter().enumerate();
        let ops = ops.filter(|(_, op)| op.is_data() && op.sync_target() == Some(file));
        let (durable, unsynced): (Vec<_>, Vec<_>) = ops.partition(|(number, _)| self.is_durable(*number, point));
        let old = durable.into_iter().fold(initial, |content, (_, op)| apply_data(content, op, usize::MAX));
        let apply_all = |content| unsynced.iter().fold(content, |content, (_, op)| apply_data(content, op, usize::MAX));
        match keep {
            KeepData::All => apply_all(old),
            KeepData::None => old,
            KeepData::Prefix(random) => {
                let mut random = random.for_file(file);
                let complete = random.below(unsynced.len() + 1);
                let (kept, lost) = unsynced.split_at(complete);
                let content = kept.iter().fold(old, |content, (_, op)| apply_data(content, op, usize::MAX));
                match lost.first() {
                    Some((_, Op::Write { data, .. })) => apply_data(content, lost[0].1, random.below(data.len() + 1)),
                    _ => content,
                }
            }
            KeepData::Pages(random) => mix_pages(&old, &apply_all(old.clone()), random.for_file(file)),
        }
    }
}

/// Applies a write, at most `max_bytes` of it, or a truncation.
fn apply_data(mut content: Vec<u8>, op: &Op, max_bytes: usize) -> Vec<u8> {
    match op {
        Op::Write { offset, data, .. } => write_at(&mut content, *offset, &data[..max_bytes.min(data.len())]),
        Op::Truncate { len, .. } => content.resize(*len, 0),
        _ => {}
    }
    content
}

/// Takes each page, and the length, from the old or the new content. Pages that are in neither are zero.
fn mix_pages(old: &[u8], new: &[u8], mut random: Random) -> Vec<u8> {
    let lengths = [old.len(), new.len()];
    let mut mixed = vec![0; lengths[random.below(2)]];
    for (number, page) in mixed.chunks_mut(PAGE_BYTES).enumerate() {
        let from = [old, new][random.below(2)].get(number * PAGE_BYTES..).unwrap_or_default();
        let len = page.len().min(from.len());
        page[..len].copy_from_slice(&from[..len]);
    }
    mixed
}

/// SplitMix64: the same numbers in every run.
#[derive(Clone, Copy)]
struct Random(u64);

impl Random {
    fn for_file(self, file: Inode) -> Self {
        let mut seed = Self(self.0 ^ (file as u64) << 32);
        Self(seed.next())
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit as u64) as usize
    }
}
