//! `cargo xtask bench`: runs the benchmarks and prints times relative to a memory copy of the same bytes in the same run.

use crate::Result;
use crate::run::{cargo, output, run as execute};

/// The baseline benchmark of each group.
const BASELINE: &str = "memcpy";

/// Two benchmarks of a group, and the largest allowed ratio of the first to the second.
const LIMITS: [(&str, &str, &str, f64); 3] = [
    ("device_60s", "hundred_frames_random", "hundred_frames_forward", 2.0),
    ("open_60s", "sample_bin_zst", "sample_bin", 3.0),
    ("open_60s", "sample_reduced_bin_zst", "sample_reduced_bin", 3.0),
];

pub fn run(filter: Option<&str>) -> Result {
    let mut text = String::new();
    for (package, benches) in
        [("holotape", &["check", "codec", "optimize", "record", "sample"][..]), ("holotape-convert", &["convert"])]
    {
        let mut bench = cargo();
        bench.args(["bench", "--quiet", "--package", package]);
        for name in benches {
            bench.args(["--bench", name]);
        }
        bench.args(["--", "--color", "never"]);
        if let Some(filter) = filter {
            bench.args([filter, BASELINE]);
        }
        text += &output(&mut bench)?;
    }
    let rows = parse(&text)?;
    print!("{}", report(&rows)?);
    check_limits(&rows)
}

/// Prints the ratios that have a limit, and fails if one exceeds it.
fn check_limits(rows: &[Row]) -> Result {
    for (group, name, baseline, max_ratio) in LIMITS {
        let median_ns = |name| rows.iter().find(|row| row.group == group && row.name == name).map(|row| row.median_ns);
        let (Some(median), Some(base)) = (median_ns(name), median_ns(baseline)) else { continue };
        let ratio = median / base;
        println!("{name} takes {ratio:.2} times as long as {baseline}; the limit is {max_ratio}");
        if ratio > max_ratio {
            return Err(format!("{name} is too slow: {ratio:.2} times {baseline}, more than {max_ratio}"));
        }
    }
    Ok(())
}

/// Prints the time that the OpenXR layers add to a frame, and fails if that is too much.
pub fn run_openxr() -> Result {
    execute(cargo().args(["bench", "--quiet", "--package", "holotape-openxr", "--bench", "frame"]))
}

/// The result of one benchmark.
#[derive(Debug, PartialEq)]
struct Row {
    group: String,
    name: String,
    median_ns: f64,
}

fn report(rows: &[Row]) -> Result<String> {
    let mut text = String::from("group          benchmark                   median    ratio to memcpy\n");
    let mut group = "";
    for row in rows {
        let is_baseline = |other: &&Row| other.group == row.group && other.name == BASELINE;
        let baseline =
            rows.iter().find(is_baseline).ok_or_else(|| format!("group {} has no benchmark {BASELINE}", row.group))?;
        let shown_group = if group == row.group { "" } else { &row.group };
        let ratio = row.median_ns / baseline.median_ns;
        let median = duration(row.median_ns);
        text += &format!("{shown_group:<14} {:<23} {median:>10}    {ratio:>15.4}\n", row.name);
        group = &row.group;
    }
    Ok(text)
}

fn duration(ns: f64) -> String {
    match ns {
        ns if ns < 1e3 => format!("{ns:.0} ns"),
        ns if ns < 1e6 => format!("{:.1} µs", ns / 1e3),
        ns => format!("{:.2} ms", ns / 1e6),
    }
}

/// Parses divan's tree of benchmarks with the columns fastest, slowest, median and mean.
fn parse(text: &str) -> Result<Vec<Row>> {
    let mut rows = Vec::new();
    let mut group = String::new();
    for line in text.lines() {
        let line = line.trim_start_matches(|c: char| "│├╰─ ".contains(c));
        let columns: Vec<_> = line.split('│').map(str::trim).collect();
        let [first, _, median, ..] = columns[..] else { continue };
        let Some(name) = first.split_whitespace().next() else { continue };
        if median == "median" {
            continue; // The table header.
        }
        if median.is_empty() {
            name.clone_into(&mut group);
            continue;
        }
        let median_ns = parse_duration(median).ok_or_else(|| format!("invalid duration {median:?} in {line:?}"))?;
        rows.push(Row { group: group.clone(), name: name.to_owned(), median_ns });
    }
    if rows.is_empty() { Err(format!("no benchmarks found in {text:?}")) } else { Ok(rows) }
}

fn parse_duration(text: &str) -> Option<f64> {
    let (number, unit) = text.split_once(' ')?;
    let scale = match unit {
        "ns" => 1.0,
        "µs" => 1e3,
        "ms" => 1e6,
        "s" => 1e9,
        _ => return None,
    };
    Some(number.parse::<f64>().ok()? * scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PRINTED: &str = "\
codec                 fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ compact_60s                      │               │               │               │         │
│  ├─ index           9.2 µs        │ 31.7 µs       │ 9.5 µs        │ 10.1 µs       │ 100     │ 100
│  ╰─ memcpy          101.2 µs      │ 301.2 µs      │ 190 µs        │ 120.3 µs      │ 100     │ 100
╰─ full_60s                         │               │               │               │         │
   ╰─ memcpy          1.012 ms      │ 3.2 ms        │ 1.5 ms        │ 1.6 ms        │ 100     │ 100
";

    #[test]
    fn parse_reads_medians() {
        let rows = parse(PRINTED).expect("a table");
        let row = |group: &str, name: &str, median_ns| Row { group: group.into(), name: name.into(), median_ns };
        let expected = [
            row("compact_60s", "index", 9500.0),
            row("compact_60s", "memcpy", 190_000.0),
            row("full_60s", "memcpy", 1_500_000.0),
        ];
        assert_eq!(rows, expected);
        assert!(report(&rows).expect("a report").contains("0.0500"));
    }

    #[test]
    fn ratio_above_its_limit_is_an_error() {
        let row = |name: &str, median_ns| Row { group: "open_60s".into(), name: name.into(), median_ns };
        assert!(check_limits(&[row("sample_bin", 10.0), row("sample_bin_zst", 29.0)]).is_ok());
        assert!(check_limits(&[row("sample_bin", 10.0), row("sample_bin_zst", 31.0)]).is_err());
        assert!(check_limits(&[row("sample_bin_zst", 31.0)]).is_ok());
    }

    #[test]
    fn invalid_output_is_an_error() {
        assert!(parse("nothing\n").is_err());
        assert!(report(&[Row { group: "a".into(), name: "b".into(), median_ns: 1.0 }]).is_err());
    }
}
