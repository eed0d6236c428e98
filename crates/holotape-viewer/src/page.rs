//! The page, as npm built it, and pages that carry their recordings.

use std::io::Write;
use std::sync::LazyLock;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use holotape::Recording;
use sha2::{Digest, Sha256};

use crate::api::{Origin, RecordingDetails, RecordingInfo, ViewerState};
use crate::curve_pack;

/// The page as the server sends it.
pub(crate) const HTML: &str = include_str!(concat!(env!("OUT_DIR"), "/web/index.html"));
/// Its script.
pub(crate) const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/web/viewer.js"));
/// Its style sheet.
pub(crate) const STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/web/viewer.css"));

/// The script and the style sheet as they are sent: zipped, once.
pub(crate) static GZIPPED_SCRIPT: LazyLock<Vec<u8>> = LazyLock::new(|| gzip(SCRIPT));
pub(crate) static GZIPPED_STYLE: LazyLock<Vec<u8>> = LazyLock::new(|| gzip(STYLE));

fn gzip(text: &str) -> Vec<u8> {
    let mut zip = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    zip.write_all(text.as_bytes()).and_then(|()| zip.finish()).unwrap_or_default()
}

/// What the page of a demo has near its start, and no other page: it can be made again.
///
/// ```
/// let page = holotape_viewer::page::export_demo("demo.bin", &holotape::Recording::default())?;
/// assert!(page[..1000].contains(holotape_viewer::page::DEMO_MARK));
/// # Ok::<(), holotape::Error>(())
/// ```
pub const DEMO_GENERATOR_TAG: &str = "<meta name=\"generator\" content=\"holotape demo\">";

const GENERATOR_TAG: &str = "<meta name=\"generator\" content=\"holotape\">";

/// A recording that goes into a page.
///
/// ```
/// use holotape_viewer::page::Exported;
///
/// let take = holotape::Recording::default();
/// let exported = ExportedRecording { name: "take.csv", recording: &take, losses: vec!["the markers".to_owned()] };
/// assert!(holotape_viewer::page::export(&[exported])?.contains("the markers"));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExportedRecording<'a> {
    /// What the page calls it.
    pub name: &'a str,
    /// The recording.
    pub recording: &'a Recording,
    /// What the file that it came from had and it has not, in words.
    pub losses: Vec<String>,
}

/// One file with the recordings and all that it takes to play them: it opens from disk, asks nobody for anything, and says so to
/// the browser, which holds it to that.
///
/// ```
/// use holotape_viewer::page::{ExportedRecording, export};
///
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let page = export(&[ExportedRecording { name: "take.bin", recording: &take, losses: Vec::new() }])?;
/// assert!(page.contains("default-src 'none'") && !page.contains("connect-src"));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If a recording has more keys in a curve than its format can count.
pub fn export(recordings: &[ExportedRecording<'_>]) -> holotape::Result<String> {
    export_marked(recordings, GENERATOR_TAG)
}

/// The same of a demo, which says that it is one.
///
/// # Errors
/// As with [`export`].
pub fn export_demo(name: &str, recording: &Recording) -> holotape::Result<String> {
    export_marked(&[ExportedRecording { name, recording, losses: Vec::new() }], DEMO_GENERATOR_TAG)
}

fn export_marked(recordings: &[ExportedRecording<'_>], mark: &str) -> holotape::Result<String> {
    let contents = recordings
        .iter()
        .map(|recording| RecordingDetails::of(recording.recording))
        .collect::<holotape::Result<Vec<_>>>()?;
    let infos = (1..).zip(recordings.iter().zip(&contents)).map(|(id, (recording, contents))| {
        let info = RecordingInfo::new(id, recording.name, Origin::File, contents);
        RecordingInfo { losses: recording.losses.clone(), ..info }
    });
    let session = ViewerState { takes: infos.collect(), ..ViewerState::default() };
    let mut data = data_element("holotape-session", "application/json", &json_in_html(&session)?);
    for (id, recording) in (1..).zip(recordings) {
        let tape = BASE64_STANDARD.encode(curve_pack::gzipped(recording.recording)?);
        data += &data_element(&format!("holotape-tape-{id}"), "application/octet-stream", &tape);
    }
    let title = recordings.iter().map(|recording| recording.name).collect::<Vec<_>>().join(", ");
    Ok(assemble(&format!("{mark}\n<title>{}</title>", escaped(&title)), &data))
}

/// The page with script, style and data inside, and a policy that allows these and nothing else.
fn assemble(head: &str, data: &str) -> String {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    let mut page = String::with_capacity(SCRIPT.len() + STYLE.len() + data.len() + 1000);
    page += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    page += &format!("<meta http-equiv=\"content-security-policy\" content=\"{policy}\">\n");
    page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    page += "<meta name=\"color-scheme\" content=\"light dark\">\n";
    page += &format!("{head}\n<style>{STYLE}</style>\n</head>\n<body>\n");
    page += "<noscript>This page draws a recording in 3D and needs JavaScript.</noscript>\n";
    page += &format!("{data}<script type=\"module\">{SCRIPT}</script>\n</body>\n</html>\n");
    page
}

/// How a policy names a script or a style sheet that stands in a page.
pub(crate) fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

fn data_element(id: &str, kind: &str, text: &str) -> String {
    format!("<script id=\"{id}\" type=\"{kind}\">{text}</script>\n")
}

/// JSON in which nothing looks like the end of a script.
fn json_in_html(session: &ViewerState<'_>) -> holotape::Result<String> {
    let json = serde_json::to_string(session).map_err(std::io::Error::from)?;
    Ok(json.replace('<', "\\u003c"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str) -> String {
        export(&[ExportedRecording { name, recording: &Recording::default(), losses: Vec::new() }]).expect("a page")
    }

    #[test]
    fn names_cannot_leave_their_place() {
        let page = named("</title></script><script>alert(1)</script>");
        assert!(!page.contains("<script>alert"), "{}", &page[..page.len().min(3000)]);
    }

    #[test]
    fn the_policy_names_the_script_that_is_there() {
        let page = named("take.bin");
        let (_, rest) = page.split_once("<script type=\"module\">").expect("the script");
        let (script, _) = rest.rsplit_once("</script>").expect("its end");
        assert!(page.contains(&hash(script)));
        assert!(page.contains(&hash(STYLE)));
    }

    /// What browsers would end a script or a style sheet at, or change so that the policy no longer names it.
    #[test]
    fn script_and_style_are_fit_to_stand_in_a_page() {
        for (what, text) in [("script", SCRIPT), ("style sheet", STYLE)] {
            let text = text.to_ascii_lowercase();
            for unfit in ["</script", "<script", "</style", "<!--", "\r", "\0"] {
                assert!(!text.contains(unfit), "the {what} has {unfit:?}");
            }
        }
    }
}
