//! One take: a recorder, its journal, and the file.

use std::fs;
use std::path::{Path, PathBuf};

use holotape::Frame;
use holotape::record::{FinishedRecording, Journal, Recorder, RecorderOptions, journal_path};

use crate::config::RecordConfig;
use crate::report::Report;

/// What only the session knows about a take.
pub(super) struct TakeInfo {
    pub(super) space: &'static str,
    pub(super) gaze: &'static str,
    pub(super) notes: Vec<String>,
}

/// A take, which begins with its first frame: a session without frames leaves no file.
pub(super) struct Take {
    config: RecordConfig,
    recording: Option<(PathBuf, Recorder)>,
    has_failed: bool,
    /// Markers after the last frame. A session reports its end after it; a recording has no markers after its end.
    pending_markers: Vec<(f64, String)>,
}

impl Take {
    pub(super) fn new(config: RecordConfig) -> Self {
        Self { config, recording: None, has_failed: false, pending_markers: Vec::new() }
    }

    pub(super) fn push(&mut self, frame: &Frame) {
        if self.recording.is_none() && !self.has_failed {
            self.start();
        }
        let Some((_, recorder)) = &mut self.recording else { return };
        if let Err(error) = recorder.push(frame) {
            // The frame is recorded; only the journal is gone.
            self.report_failure(format!("the take is only in memory from now on: {error}"));
        }
        self.add_pending_markers(false);
    }

    /// Adds a marker once there is a frame after it; one before the first frame is dropped.
    pub(super) fn mark(&mut self, time_secs: f64, name: String) {
        if self.recording.is_some() {
            self.pending_markers.push((time_secs, name));
            self.add_pending_markers(false);
        }
    }

    /// Adds markers at the time of the last frame.
    pub(super) fn mark_now(&mut self, names: impl Iterator<Item = String>) {
        names.for_each(|name| self.mark(self.last_secs(), name));
    }

    /// Adds the markers up to the last frame; at the end of the take the others as well, at its end.
    fn add_pending_markers(&mut self, is_at_end: bool) {
        let last_secs = self.last_secs();
        let Some((_, recorder)) = &mut self.recording else { return };
        let mut failures = Vec::new();
        self.pending_markers.retain(|(time_secs, name)| {
            let is_due = is_at_end || *time_secs <= last_secs;
            if is_due && let Err(error) = recorder.add_marker(time_secs.min(last_secs), name) {
                failures.push(format!("marker {name:?}: {error}"));
            }
            !is_due
        });
        failures.into_iter().for_each(|message| self.report_failure(message));
    }

    fn last_secs(&self) -> f64 {
        self.recording.as_ref().and_then(|(_, recorder)| recorder.status().last_secs).unwrap_or(0.0)
    }

    /// Saves the take and reports it.
    pub(super) fn finish(mut self, info: TakeInfo) {
        self.add_pending_markers(true);
        let Some((path, recorder)) = self.recording.take() else { return };
        let status = recorder.status();
        let mut finished: FinishedRecording = recorder.stop();
        let duration_secs = f64::from(finished.recording.duration_secs());
        let losses = match finished.save(&path) {
            Ok(losses) => losses,
            Err(error) => return self.report_failure(format!("the take is not saved: {error}")),
        };
        let mut notes = info.notes;
        notes.extend(status.losses().map(|(what, count)| format!("{what}: {count}")));
        notes.extend(losses.iter().map(ToString::to_string));
        let report = Report::Saved {
            path,
            frames: status.frame_count,
            duration_secs,
            space: info.space.to_owned(),
            gaze: info.gaze.to_owned(),
            notes,
        };
        report.append(self.config.report.as_deref());
    }

    fn start(&mut self) {
        let path = free_path(&self.config.out, self.config.overwrite && !self.has_earlier_take());
        let options = RecorderOptions::new()
            .with_max_rate_hz(self.config.max_rate_hz)
            .with_journal(journal_path(&path))
            // A take has a thread of its own, and the application waits for what that has written.
            .with_direct_journal(true);
        match Recorder::start(options) {
            Ok(recorder) => {
                Report::Started { path: path.clone() }.append(self.config.report.as_deref());
                self.recording = Some((path, recorder));
            }
            Err(error) => {
                self.has_failed = true;
                self.report_failure(format!("nothing will be recorded: {error}"));
            }
        }
    }

    /// Whether an earlier session of the application was recorded to the same path, which must not be replaced. The
    /// report tells: the library may have been unloaded since.
    fn has_earlier_take(&self) -> bool {
        let report = self.config.report.as_ref().and_then(|path| fs::read_to_string(path).ok()).unwrap_or_default();
        let is_ours = |report: Report| matches!(report, Report::Started { path } if path == self.config.out);
        Report::parse(&report).into_iter().any(is_ours)
    }

    fn report_failure(&self, message: String) {
        Report::Failed { message }.append(self.config.report.as_deref());
    }
}

/// The path, or the first numbered one (`take-2.bin`) that has neither a recording nor the journal of an unsaved take.
fn free_path(out: &Path, overwrite: bool) -> PathBuf {
    let is_free = |path: &PathBuf, overwrite: bool| {
        (overwrite || !path.exists()) && !Journal::is_at(journal_path(path)) && !journal_path(path).exists()
    };
    let numbered = |n: u32| {
        let (stem, extension) = (out.file_stem().unwrap_or_default(), out.extension().unwrap_or_default());
        let mut name = stem.to_owned();
        name.push(format!("-{n}."));
        name.push(extension);
        out.with_file_name(name)
    };
    let first = out.to_owned();
    if is_free(&first, overwrite) {
        return first;
    }
    // After so many, starting fails with a message.
    (2..10_000).map(numbered).find(|path| is_free(path, false)).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use holotape::Recording;

    use super::*;

    #[test]
    fn markers_are_not_after_the_end() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("take.bin");
        let mut take = Take::new(RecordConfig::new(&path));
        let frame = |time| Frame { time, camera: Some(holotape::Pose::IDENTITY), ..Frame::default() };
        take.push(&frame(0.0));
        take.mark(0.5, "between".to_owned());
        take.push(&frame(1.0));
        take.mark(1.5, "session stopping".to_owned());
        take.finish(TakeInfo { space: "STAGE", gaze: "head", notes: Vec::new() });
        let recording = Recording::open(&path)?;
        let markers: Vec<_> = recording.markers.iter().map(|marker| (marker.time, marker.name.as_str())).collect();
        assert_eq!(markers, [(0.5, "between"), (1.0, "session stopping")]);
        assert_eq!(recording.duration_secs(), 1.0);
        Ok(())
    }

    #[test]
    fn overwriting_keeps_earlier_takes_of_the_application() -> Result<(), Box<dyn std::error::Error>> {
        let folder = tempfile::tempdir()?;
        let path = |name: &str| folder.path().join(name);
        fs::write(path("take.bin"), "old")?;
        let config =
            RecordConfig { overwrite: true, report: Some(path("report")), ..RecordConfig::new(path("take.bin")) };
        for frames in 2..4 {
            let mut take = Take::new(config.clone());
            (0..frames).for_each(|n| take.push(&Frame { time: f64::from(n), ..Frame::default() }));
            take.finish(TakeInfo { space: "STAGE", gaze: "head", notes: Vec::new() });
        }
        assert_eq!(Recording::open(path("take.bin"))?.duration_secs(), 1.0);
        assert_eq!(Recording::open(path("take-2.bin"))?.duration_secs(), 2.0);
        Ok(())
    }
}
