//! Puts episodes into data files, in the order of the names of their recordings.
//!
//! A data file is kept if all that its content depends on is unchanged. Otherwise it is written again: unchanged episodes are
//! copied from their old file, others are read. A file ends with the episode that reaches its size, so its end does not depend
//! on later recordings, and the result does not depend on earlier builds.

use std::io;
use std::ops::ControlFlow;

use holotape::{Error, ErrorKind, Result};

use super::data_file::{DataFileWriter, EpisodeChunks, EpisodeNumbers, parquet_metadata};
use super::dir::LerobotDir;
use super::episode::Episode;
use super::episode_file::{self, EpisodeRow};
use super::features::Features;
use super::known::{KnownEpisode, KnownEpisodes, KnownFile, KnownReader};
use super::manifest::{DataFile, EpisodeInfo, Position, SourceEntry};
use super::options::LerobotOptions;
use super::ordered::in_order;
use super::stats::ComponentStats;
use crate::Progress;
use crate::build::changes::{ContentId, SourceFile};
use crate::rows::{catch_panic, content_hash};

/// What to do with a recording.
enum Planned<'a> {
    Copy(SourceFile, KnownEpisode<'a>),
    Unreadable(SourceFile, String),
    Read,
}

/// A recording that was read.
struct ReadSource {
    source: SourceFile,
    content: ContentId,
    episode: Result<Episode>,
}

/// The data files of the next dataset, and its end.
pub(super) struct Assembled {
    pub(super) files: Vec<DataFile>,
    pub(super) end: Position,
    pub(super) written_file_count: usize,
    pub(super) read_recording_count: usize,
}

/// What all files have in common.
pub(super) struct Context<'a> {
    pub(super) dir: &'a LerobotDir,
    pub(super) known: &'a [KnownFile],
    pub(super) features: &'a Features,
    pub(super) options: &'a LerobotOptions,
}

/// Assembles the data files of all recordings, and stages those that do not exist.
pub(super) fn assemble(
    context: &Context<'_>,
    sources: Vec<SourceFile>,
    progress: &(impl Fn(Progress) -> ControlFlow<()> + Sync),
) -> Result<Assembled> {
    let episodes = KnownEpisodes::new(context.known);
    let mut to_read = Vec::new();
    let plan: Vec<Planned<'_>> = sources.into_iter().map(|source| planned(source, &episodes, &mut to_read)).collect();
    let total = to_read.len();
    let read = |source| read_source(source, context);
    in_order(to_read, context.options.jobs(), read, |next| {
        let mut done = 0;
        let mut next_read = || {
            let read = next().ok_or_else(|| Error::new(ErrorKind::Invalid, "a worker thread ended early"))?;
            done += 1;
            match progress(Progress { done, total }) {
                ControlFlow::Continue(()) => Ok(read),
                ControlFlow::Break(()) => Err(cancelled()),
            }
        };
        let settings = context.options.to_string();
        let mut assembler = Assembler {
            context,
            settings,
            plan: &plan,
            at: 0,
            position: Position::default(),
            files: Vec::new(),
            open: None,
            written_file_count: 0,
        };
        while assembler.at < plan.len() {
            if !assembler.keep_file() {
                assembler.write_file(&mut next_read)?;
            }
        }
        let Assembler { files, position: end, written_file_count, .. } = assembler;
        Ok(Assembled { files, end, written_file_count, read_recording_count: total })
    })
}

fn cancelled() -> Error {
    io::Error::new(io::ErrorKind::Interrupted, "the build was cancelled; the next one resumes").into()
}

fn planned<'a>(source: SourceFile, known: &KnownEpisodes<'a>, to_read: &mut Vec<SourceFile>) -> Planned<'a> {
    match source.content.clone() {
        Some(ContentId::Unreadable(message)) => return Planned::Unreadable(source, message),
        Some(ContentId::Sha256(sha256)) => {
            if let Some(episode) = known.find([&source.file.name, &source.path(), &sha256]) {
                return Planned::Copy(source, episode);
            }
        }
        None => {}
    }
    to_read.push(source);
    Planned::Read
}

fn read_source(mut source: SourceFile, context: &Context<'_>) -> ReadSource {
    let bytes = match source.read() {
        Ok(bytes) => bytes,
        Err(error) => {
            let content = ContentId::Unreadable(error.to_string());
            return ReadSource { source, content, episode: Err(error) };
        }
    };
    let content = ContentId::Sha256(content_hash(&source.file.path, &bytes));
    let episode = catch_panic(|| Episode::read(&source, &bytes, context.features, context.options)).flatten();
    ReadSource { source, content, episode }
}

struct Assembler<'a> {
    context: &'a Context<'a>,
    settings: String,
    plan: &'a [Planned<'a>],
    /// The next recording.
    at: usize,
    position: Position,
    files: Vec<DataFile>,
    open: Option<KnownReader>,
    written_file_count: usize,
}

/// A data file that is being written.
struct FileInProgress {
    start: Position,
    data: DataFileWriter,
    rows: Vec<EpisodeRow>,
    recordings: Vec<SourceEntry>,
}

impl Assembler<'_> {
    /// Keeps the next data file, if it exists with the same content.
    fn keep_file(&mut self) -> bool {
        let rest = &self.plan[self.at..];
        let kept = self.context.known.iter().find_map(|known| {
            let count = known.file.recordings.len();
            let is_closed = known.file.is_full || count == rest.len();
            let recordings = rest.get(..count).filter(|_| is_closed)?;
            // Hashing all entries of all files would take quadratic time.
            let first = recordings.first()?.entry()?.file.recording;
            known.file.recordings.first().filter(|entry| entry.file.recording == first)?;
            let recordings: Vec<_> = recordings.iter().map(Planned::entry).collect::<Option<_>>()?;
            let id = self.position.file_id(&self.settings, &recordings);
            (id == known.file.id).then(|| DataFile { recordings, ..known.file.clone() })
        });
        let Some(file) = kept else { return false };
        file.episodes().for_each(|(_, info)| drop(self.position.advance(info)));
        self.position.file += 1;
        self.at += file.recordings.len();
        self.files.push(file);
        true
    }

    fn write_file(&mut self, next_read: &mut dyn FnMut() -> Result<ReadSource>) -> Result<()> {
        let Context { dir, features, options, .. } = *self.context;
        let data = DataFileWriter::create(dir.temporary_file()?, features)?;
        let mut file = FileInProgress { start: self.position.clone(), data, rows: Vec::new(), recordings: Vec::new() };
        let mut is_full = false;
        while !is_full && let Some(planned) = self.plan.get(self.at) {
            match planned {
                Planned::Copy(source, known) => self.copy(&mut file, source, *known)?,
                Planned::Unreadable(source, message) => {
                    let entry = source.entry(ContentId::Unreadable(message.clone()), None);
                    file.recordings.push(SourceEntry { file: entry, episode: None });
                }
                Planned::Read => self.add(&mut file, next_read()?)?,
            }
            self.at += 1;
            is_full = file.data.byte_count() >= options.file_bytes();
        }
        let FileInProgress { start, data, rows, recordings } = file;
        let id = start.file_id(&self.settings, &recordings);
        let file = DataFile { id, is_full, recordings };
        if !rows.is_empty() {
            let episodes = episode_file::write(&rows, start.file, features, dir.temporary_file()?)?;
            dir.stage(&self.settings, &file, data.finish()?, episodes)?;
            self.written_file_count += 1;
        }
        self.position.file += 1;
        self.files.push(file);
        Ok(())
    }

    /// Adds a recording of an earlier build.
    fn copy(&mut self, file: &mut FileInProgress, source: &SourceFile, known: KnownEpisode<'_>) -> Result<()> {
        let entry = current_entry(source, known.entry);
        if let Some(info) = &entry.episode {
            let Context { known: files, features, .. } = *self.context;
            let reader = KnownReader::switch(&mut self.open, known.file, files, features)?;
            let chunks = reader.data.episode(known.first_row_group, info.row_group_count)?;
            let stats = reader.stats.get(known.row).cloned().unwrap_or_default();
            file.push(&mut self.position, &chunks, &entry, info, stats)?;
        }
        file.recordings.push(entry);
        Ok(())
    }

    /// Adds a recording that was read.
    fn add(&mut self, file: &mut FileInProgress, read: ReadSource) -> Result<()> {
        let ReadSource { source, content, episode } = read;
        let entry = match episode {
            Err(error) => SourceEntry { file: source.entry(content, Some(error.to_string())), episode: None },
            Ok(Episode { parquet, info, stats }) => {
                let entry = SourceEntry { file: source.entry(content, None), episode: Some(info.clone()) };
                let metadata = parquet_metadata(&parquet)?;
                let chunks = EpisodeChunks { reader: &parquet, groups: metadata.row_groups() };
                file.push(&mut self.position, &chunks, &entry, &info, stats)?;
                entry
            }
        };
        file.recordings.push(entry);
        Ok(())
    }
}

impl FileInProgress {
    fn push<R: parquet::file::reader::ChunkReader>(
        &mut self,
        position: &mut Position,
        chunks: &EpisodeChunks<'_, R>,
        entry: &SourceEntry,
        info: &EpisodeInfo,
        stats: Vec<ComponentStats>,
    ) -> Result<()> {
        let (episode, first_frame) = (position.episode, position.frame);
        let numbers = EpisodeNumbers { episode, first_frame, tasks: position.advance(info) };
        self.data.append(chunks, &numbers)?;
        let mut tasks: Vec<String> = Vec::new();
        for span in &info.tasks {
            if !tasks.contains(&span.task) {
                tasks.push(span.task.clone());
            }
        }
        let recording = entry.file.recording.clone();
        self.rows.push(EpisodeRow { episode, first_frame, length: info.length, tasks, recording, stats });
        Ok(())
    }
}

impl Planned<'_> {
    /// The entry of a recording that need not be read.
    fn entry(&self) -> Option<SourceEntry> {
        match self {
            Self::Copy(source, known) => Some(current_entry(source, known.entry)),
            Self::Unreadable(source, message) => {
                let file = source.entry(ContentId::Unreadable(message.clone()), None);
                Some(SourceEntry { file, episode: None })
            }
            Self::Read => None,
        }
    }
}

/// An entry of an earlier build, with the current size and time of the file.
fn current_entry(source: &SourceFile, entry: &SourceEntry) -> SourceEntry {
    let mut entry = entry.clone();
    (entry.file.file_bytes, entry.file.modified_ns) = (source.file_bytes, source.modified_ns);
    entry
}
