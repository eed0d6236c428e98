//! Parses the output of libFuzzer.

use std::fmt::Write;

/// The result of running one target.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct RunStats {
    pub(super) executions: u64,
    pub(super) executions_per_sec: u64,
    pub(super) new_inputs: u64,
    pub(super) peak_mb: u64,
    /// The path of the input that failed.
    pub(super) finding: Option<String>,
    pub(super) has_failed: bool,
}

impl RunStats {
    /// Takes the statistics from a line of the output. Returns false if the user should see the line.
    pub(super) fn parse_line(&mut self, line: &str) -> bool {
        if let Some((_, path)) = line.split_once("Test unit written to ") {
            self.finding = Some(path.trim().to_owned());
            return false;
        }
        let Some((name, value)) = line.strip_prefix("stat::").and_then(|line| line.split_once(':')) else {
            return ["#", "INFO: ", "MERGE-"].iter().any(|progress| line.starts_with(progress));
        };
        let value = value.trim().parse().unwrap_or(0);
        match name {
            "number_of_executed_units" => self.executions = value,
            "average_exec_per_sec" => self.executions_per_sec = value,
            "new_units_added" => self.new_inputs = value,
            "peak_rss_mb" => self.peak_mb = value,
            _ => {}
        }
        true
    }
}

/// A table of the runs, with the sum of the executions.
pub(super) fn table(runs: &[(&str, RunStats)]) -> String {
    let mut table =
        format!("{:<42}{:>14}{:>12}{:>12}{:>10}\n", "target", "executions", "per second", "new inputs", "peak MB");
    for (target, stats) in runs {
        let RunStats { executions, executions_per_sec, new_inputs, peak_mb, .. } = stats;
        let result = if stats.has_failed { "  FAILED" } else { "" };
        let _ = writeln!(
            table,
            "{target:<42}{executions:>14}{executions_per_sec:>12}{new_inputs:>12}{peak_mb:>10}{result}"
        );
    }
    let sum: u64 = runs.iter().map(|(_, stats)| stats.executions).sum();
    let _ = writeln!(table, "{:<42}{sum:>14}", "all");
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    const OUTPUT: &str = "\
INFO: Seed: 1
#2	INITED cov: 5
thread panicked
artifact_prefix='./'; Test unit written to /fuzz/artifacts/t/crash-1
stat::number_of_executed_units: 4096
stat::average_exec_per_sec:     2048
stat::new_units_added:          7
stat::slowest_unit_time_sec:    0
stat::peak_rss_mb:              40";

    #[test]
    fn stats_come_from_the_output() {
        let mut stats = RunStats::default();
        let shown: Vec<_> = OUTPUT.lines().filter(|line| !stats.parse_line(line)).collect();
        assert_eq!(shown, ["thread panicked", "artifact_prefix='./'; Test unit written to /fuzz/artifacts/t/crash-1"]);
        let expected = RunStats {
            executions: 4096,
            executions_per_sec: 2048,
            new_inputs: 7,
            peak_mb: 40,
            finding: Some("/fuzz/artifacts/t/crash-1".to_owned()),
            has_failed: false,
        };
        assert_eq!(stats, expected);
    }

    #[test]
    fn table_has_the_sum_of_executions() {
        let run = |executions| RunStats { executions, has_failed: executions == 2, ..RunStats::default() };
        let table = table(&[("first", run(40)), ("second", run(2))]);
        let lines: Vec<_> = table.lines().collect();
        assert!(lines[2].starts_with("second ") && lines[2].ends_with("FAILED"), "{table}");
        assert_eq!(lines[3].split_whitespace().collect::<Vec<_>>(), ["all", "42"]);
    }
}
