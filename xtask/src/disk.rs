//! Checks that the disk has room for a build, which would otherwise fail after minutes with an error of a compiler or linker.

use std::fs;
use std::path::Path;

use crate::Result;
use crate::run::{command, output_accepting};

const KIB_PER_GIB: u64 = 1 << 20;

/// Fails if the disk of a target folder has no room for a build that takes this much in a new clone.
pub fn check_room(target: &Path, needed_gib: u64) -> Result {
    if !cfg!(unix) {
        return Ok(());
    }
    fs::create_dir_all(target).map_err(|error| format!("{}: {error}", target.display()))?;
    let free = output_accepting(command("df").args(["-P", "-k"]).arg(target), &[0])?;
    // 1: another build removed a file meanwhile.
    let used = output_accepting(command("du").args(["-s", "-k"]).arg(target), &[0, 1])?;
    let (Some(free), Some(used)) = (free_kib(&free), used_kib(&used)) else { return Ok(()) };
    match missing_gib(needed_gib, free, used) {
        0 => Ok(()),
        missing => Err(format!(
            "{} takes up to {needed_gib} GiB, has {} GiB now, and the disk has {} GiB free; free {missing} GiB more",
            target.display(),
            used / KIB_PER_GIB,
            free / KIB_PER_GIB,
        )),
    }
}

/// How much more must be free, beside what is built already.
fn missing_gib(needed_gib: u64, free_kib: u64, used_kib: u64) -> u64 {
    (needed_gib * KIB_PER_GIB).saturating_sub(used_kib).saturating_sub(free_kib).div_ceil(KIB_PER_GIB)
}

/// The fourth column of the last line of `df -P -k`.
fn free_kib(df: &str) -> Option<u64> {
    df.lines().last()?.split_whitespace().nth(3)?.parse().ok()
}

/// The first column of `du -s -k`.
fn used_kib(du: &str) -> Option<u64> {
    du.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(unix)]
    use crate::run::root;

    #[test]
    fn sizes_are_read_from_the_output_of_the_commands() {
        let df = "Filesystem     1024-blocks     Used Available Capacity Mounted on\n/dev/sda 264212084 56503648 38782240 60% /\n";
        assert_eq!(free_kib(df), Some(38_782_240));
        assert_eq!(used_kib("23068672\t/home/ada/holotape/target\n"), Some(23_068_672));
        assert_eq!((free_kib(""), used_kib("du: no such file")), (None, None));
    }

    #[test]
    fn what_is_built_already_needs_no_more_room() {
        let gib = KIB_PER_GIB;
        assert_eq!(missing_gib(10, 10 * gib, 0), 0);
        assert_eq!(missing_gib(10, 10 * gib - 1, 0), 1);
        assert_eq!(missing_gib(10, 3 * gib, 4 * gib), 3);
        assert_eq!(missing_gib(10, 0, 22 * gib), 0);
    }

    #[cfg(unix)]
    #[test]
    fn disk_without_room_is_an_error() {
        let folder = root().join("xtask");
        assert_eq!(check_room(&folder, 0), Ok(()));
        let message = check_room(&folder, 1 << 30).expect_err("more than any disk");
        assert!(message.contains("takes up to 1073741824 GiB") && message.contains(" GiB more"), "{message}");
    }
}
