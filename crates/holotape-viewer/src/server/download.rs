//! Takes, or parts of them, as files of other kinds.

use std::io::Write;
use std::sync::Arc;

use axum::extract::Query;
use axum::extract::rejection::QueryRejection;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use holotape::Recording;
use holotape::edit::trim;
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::table::TableOptions;
use holotape_convert::{FileFormat, Losses, csv};
use serde::Deserialize;

use super::stream;
use super::work::run_with_head;
use crate::counter::ByteCounter;
use crate::edit::SpanSecs;
use crate::http_error::HttpError;
use crate::library::{OpenRecording, loss_messages};

#[derive(Debug, Deserialize)]
pub(super) struct DownloadQuery {
    #[serde(rename = "as")]
    kind: DownloadFormat,
    from: Option<f64>,
    to: Option<f64>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum DownloadFormat {
    Bin,
    Glb,
    Csv,
}

/// All that has to be known before the first byte.
struct DownloadHead {
    name: String,
    length: u64,
    losses: Losses,
}

pub(super) async fn download(
    recording: OpenRecording,
    asked: Result<Query<DownloadQuery>, QueryRejection>,
) -> Result<Response, HttpError> {
    let Query(DownloadQuery { kind, from, to }) = asked?;
    let (writer, reader) = stream::pipe();
    let DownloadHead { name, length, losses } = run_with_head(move |begun| {
        let prepared = prepare(&recording, kind, SpanSecs { from, to });
        // On the same thread: what the first pass gave back is there for the second.
        if let Some(part) = begun.send_head(prepared) {
            writer.send(|out| kind.write(&part, out).map(drop));
        }
    })
    .await?;
    let losses = encoded(&serde_json::to_string(&loss_messages(&losses)).unwrap_or_default());
    let headers = [
        (CONTENT_TYPE, kind.media_type().to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename*=UTF-8''{}", encoded(&name))),
    ];
    Ok((headers, [("holotape-losses", losses)], reader.into_body(length)).into_response())
}

/// Writes everything once to nowhere: what is lost is known only then, and has to be told first. To keep what is written
/// instead would take several times the memory of the recording.
fn prepare(
    take: &OpenRecording,
    kind: DownloadFormat,
    span: SpanSecs,
) -> Result<(DownloadHead, Arc<Recording>), HttpError> {
    let (recording, name) = {
        let document = take.lock();
        (document.recording(), kind.name_for(document.name()))
    };
    let part = match span.is_unbounded() {
        true => recording,
        false => Arc::new(trim(&recording, span.bounds(&recording))?),
    };
    let mut counter = ByteCounter::default();
    let losses = kind.write(&part, &mut counter)?;
    Ok((DownloadHead { name, length: counter.bytes(), losses }, part))
}

impl DownloadFormat {
    fn kind(self) -> FileFormat {
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
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        format!("{stem}.{}", self.kind().extension())
    }

    fn write(self, recording: &Recording, out: &mut dyn Write) -> holotape::Result<Losses> {
        match self {
            Self::Bin => recording.write_to(out).map(Losses::from),
            Self::Glb => gltf::write_glb(recording, &GltfOptions::new(), out),
            Self::Csv => csv::write(recording, &TableOptions::new(), out),
        }
    }
}

/// Text as `decodeURIComponent` takes it, in letters that any header may have.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        match byte {
            b'-' | b'.' | b'_' | b'~' => encoded.push(byte.into()),
            byte if byte.is_ascii_alphanumeric() => encoded.push(byte.into()),
            byte => encoded += &format!("%{byte:02X}"),
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_text_fits_into_a_header() {
        assert_eq!(encoded("a-1._~ \"ü\"\r\n"), "a-1._~%20%22%C3%BC%22%0D%0A");
    }
}
