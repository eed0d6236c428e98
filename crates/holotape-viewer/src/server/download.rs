//! Downloads of recordings, or spans of them, in several file formats.

use std::io::Write;
use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use holotape::Recording;
use holotape::edit::trim;
use holotape_convert::compression::Compression;
use holotape_convert::{FileFormat, Losses, WriteOptions};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::Deserialize;

use super::AppState;
use super::stream;
use super::work::run_with_head;
use crate::counter::ByteCounter;
use crate::edit::SpanSecs;
use crate::http_error::HttpError;
use crate::library::{OpenRecording, loss_messages};
use crate::slots::ClientAddress;

/// All but the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

#[derive(Debug, Deserialize)]
pub(super) struct DownloadQuery {
    format: DownloadFormat,
    from: Option<f64>,
    to: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(crate) enum DownloadFormat {
    Bin,
    Glb,
    Csv,
}

/// The data of the response headers.
struct DownloadHead {
    name: String,
    length: u64,
    losses: Losses,
}

pub(super) async fn download(
    State(app): State<Arc<AppState>>,
    client: ClientAddress,
    recording: OpenRecording,
    query: Result<Query<DownloadQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(DownloadQuery { format, from, to }) = query?;
    let slot = app.limits.acquire_download(client).await?;
    let (writer, reader) = stream::pipe();
    let DownloadHead { name, length, losses } = run_with_head(slot, move |sender| {
        let prepared = prepare(&recording, format, SpanSecs { from, to });
        // On the same thread, so that the second pass reuses the memory of the first.
        if let Some(recording) = sender.send_head(prepared) {
            writer.send(|out| format.write(&recording, out).map(drop));
        }
    })
    .await?;
    let losses = encoded(&serde_json::to_string(&loss_messages(&losses)).unwrap_or_default());
    let headers = [
        (CONTENT_TYPE, format.media_type().to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{}", encoded(&name))),
    ];
    Ok((headers, [("holotape-losses", losses)], reader.into_body(length)).into_response())
}

/// Writes the file once to determine its losses and length, which the headers contain. Buffering the file instead would take
/// several times the memory of the recording.
fn prepare(
    open: &OpenRecording,
    format: DownloadFormat,
    span: SpanSecs,
) -> Result<(DownloadHead, Arc<Recording>), HttpError> {
    let (recording, name) = {
        let document = open.lock();
        (document.recording(), format.name_for(document.name()))
    };
    let recording = match span.is_unbounded() {
        true => recording,
        false => Arc::new(trim(&recording, span.bounds(&recording))?),
    };
    let mut counter = ByteCounter::default();
    let losses = format.write(&recording, &mut counter)?;
    Ok((DownloadHead { name, length: counter.bytes(), losses }, recording))
}

impl DownloadFormat {
    fn file_format(self) -> FileFormat {
        match self {
            Self::Bin => FileFormat::Bin,
            Self::Glb => FileFormat::Glb,
            Self::Csv => FileFormat::Csv,
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Bin => "application/octet-stream",
            Self::Glb => "model/gltf-binary",
            Self::Csv => "text/csv; charset=utf-8",
        }
    }

    fn name_for(self, name: &str) -> String {
        let (name, _) = Compression::split_name(name);
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        format!("{stem}.{}", self.file_format().extension())
    }

    fn write(self, recording: &Recording, out: &mut (dyn Write + Send)) -> holotape::Result<Losses> {
        WriteOptions::new().write(recording, self.file_format(), out)
    }
}

/// Percent-encodes text for a header; `decodeURIComponent` decodes it.
fn encoded(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn name_has_the_extension_of_the_format() {
        assert_eq!(DownloadFormat::Bin.name_for("take.bin.zst"), "take.bin");
        assert_eq!(DownloadFormat::Glb.name_for("take.v2.json"), "take.v2.glb");
    }

    #[test]
    fn header_text_is_percent_encoded() {
        assert_eq!(encoded("a-1._~ \"ü\"\r\n"), "a-1._~%20%22%C3%BC%22%0D%0A");
    }
}
