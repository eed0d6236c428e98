//! The page as built by npm, and self-contained pages with embedded recordings.

use std::io::Write;
use std::sync::{Arc, LazyLock};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;
use holotape::Recording;
use sha2::{Digest, Sha256};

use crate::api::{Origin, RecordingInfo, ViewerState};
use crate::curve_pack;
use crate::details::RecordingDetails;

pub(crate) const HTML: &str = include_str!(concat!(env!("OUT_DIR"), "/web/index.html"));
pub(crate) const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/web/viewer.js"));
pub(crate) const STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/web/viewer.css"));

pub(crate) static GZIPPED_SCRIPT: LazyLock<Vec<u8>> = LazyLock::new(|| gzip(SCRIPT));
pub(crate) static GZIPPED_STYLE: LazyLock<Vec<u8>> = LazyLock::new(|| gzip(STYLE));

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory does not fail.
    encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish()).unwrap_or_default()
}

/// Tag near the start of exported demo pages. No other page has it, so `holotape demo` may overwrite files that contain it.
///
/// ```
/// let page = holotape_viewer::page::export_demo("demo.bin", &holotape::Recording::default())?;
/// assert!(page[..1000].contains(holotape_viewer::page::DEMO_GENERATOR_TAG));
/// # Ok::<(), holotape::Error>(())
/// ```
pub const DEMO_GENERATOR_TAG: &str = "<meta name=\"generator\" content=\"holotape demo\">";

const GENERATOR_TAG: &str = "<meta name=\"generator\" content=\"holotape\">";

/// A recording to embed in a page.
///
/// ```
/// use holotape_viewer::page::ExportedRecording;
///
/// let recording = holotape::Recording::default();
/// let exported = ExportedRecording { name: "take.csv", recording: &recording, losses: vec!["the markers".to_owned()] };
/// assert!(holotape_viewer::page::export(&[exported])?.contains("the markers"));
/// # Ok::<(), holotape::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct ExportedRecording<'a> {
    /// Name that the page displays.
    pub name: &'a str,
    /// The recording.
    pub recording: &'a Recording,
    /// Data of the imported file that the recording cannot represent.
    pub losses: Vec<String>,
}

/// Returns a single HTML file with the recordings and the viewer. It opens from disk, and its content security policy forbids
/// network requests.
///
/// ```
/// use holotape_viewer::page::{ExportedRecording, export};
///
/// let recording = holotape::demo::DemoOptions::new().with_seconds(1.0).generate()?;
/// let page = export(&[ExportedRecording { name: "demo.bin", recording: &recording, losses: Vec::new() }])?;
/// assert!(page.contains("default-src 'none'") && !page.contains("connect-src"));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// Fails if a curve has more keys than its format can count.
pub fn export(recordings: &[ExportedRecording<'_>]) -> holotape::Result<String> {
    export_tagged(recordings, GENERATOR_TAG)
}

/// Like [`export`], for a generated demo: the page contains [`DEMO_GENERATOR_TAG`].
///
/// # Errors
/// Same as [`export`].
pub fn export_demo(name: &str, recording: &Recording) -> holotape::Result<String> {
    export_tagged(&[ExportedRecording { name, recording, losses: Vec::new() }], DEMO_GENERATOR_TAG)
}

/// Bytes in one element of a long recording, a multiple of 3: Base64 without padding can be joined. Browsers append to the text of
/// an element in steps, each of which copies all of it.
const ELEMENT_BYTES: usize = 3 << 18;

/// The elements of embedded recordings.
#[derive(Default)]
struct EmbeddedData {
    /// What the page shows first.
    before_script: String,
    /// What the page loads while it shows an overview.
    after_script: String,
}

impl EmbeddedData {
    fn add(&mut self, info: &RecordingInfo, recording: &Recording) -> holotape::Result<()> {
        let id = info.id;
        let gzipped = curve_pack::gzipped(recording)?;
        if !info.details.has_overview() {
            self.before_script += &pack_element(&format!(" id=\"holotape-curves-{id}\""), &gzipped);
            return Ok(());
        }
        let overview = curve_pack::gzipped_overview(recording)?;
        self.before_script += &pack_element(&format!(" id=\"holotape-overview-{id}\""), &overview);
        self.after_script += &format!("<div id=\"holotape-curves-{id}\" hidden>\n");
        self.after_script.extend(gzipped.chunks(ELEMENT_BYTES).map(|part| pack_element("", part)));
        self.after_script += "</div>\n";
        Ok(())
    }
}

fn export_tagged(recordings: &[ExportedRecording<'_>], tag: &str) -> holotape::Result<String> {
    let mut infos = Vec::new();
    let mut data = EmbeddedData::default();
    for (id, ExportedRecording { name, recording, losses }) in (1..).zip(recordings) {
        let info = RecordingInfo::new(id, name, Origin::File, Arc::new(RecordingDetails::new(recording)?));
        data.add(&info, recording)?;
        infos.push(RecordingInfo { losses: losses.clone(), ..info });
    }
    let state = ViewerState { recordings: infos, ..ViewerState::default() };
    let state = data_element(" id=\"holotape-state\"", "application/json", &json_in_html(&state)?);
    data.before_script.insert_str(0, &state);
    let title = recordings.iter().map(|recording| recording.name).collect::<Vec<_>>().join(", ");
    Ok(assemble(&format!("{tag}\n<title>{}</title>", escaped(&title)), &data))
}

/// Inlines script, style sheet and data, with a content security policy that allows only these, and workers made by the script.
fn assemble(head: &str, EmbeddedData { before_script, after_script }: &EmbeddedData) -> String {
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; worker-src blob:; base-uri 'none'; \
         form-action 'none'",
        hash(SCRIPT),
        hash(STYLE)
    );
    // Runs before the browser has read the data after it.
    let attributes = if after_script.is_empty() { "" } else { " async" };
    let data_bytes = before_script.len() + after_script.len();
    let mut page = String::with_capacity(SCRIPT.len() + STYLE.len() + data_bytes + 1000);
    page += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    page += &format!("<meta http-equiv=\"content-security-policy\" content=\"{policy}\">\n");
    page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    page += "<meta name=\"color-scheme\" content=\"light dark\">\n";
    page += &format!("{head}\n<style>{STYLE}</style>\n</head>\n<body>\n");
    page += "<noscript>This page draws a recording in 3D and needs JavaScript.</noscript>\n";
    // Visible while the browser reads the data before the script.
    page += "<p class=\"page-message\">Loading …</p>\n";
    page += before_script;
    page += &format!("<script type=\"module\"{attributes}>{SCRIPT}</script>\n");
    page += after_script;
    page += "</body>\n</html>\n";
    page
}

/// The source expression of an inline script or style sheet in a content security policy.
pub(crate) fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

fn pack_element(attributes: &str, gzipped: &[u8]) -> String {
    data_element(attributes, "application/octet-stream", &BASE64_STANDARD.encode(gzipped))
}

fn data_element(attributes: &str, kind: &str, text: &str) -> String {
    format!("<script{attributes} type=\"{kind}\">{text}</script>\n")
}

/// JSON that cannot end the enclosing script element.
fn json_in_html(state: &ViewerState) -> holotape::Result<String> {
    let json = serde_json::to_string(state).map_err(std::io::Error::from)?;
    Ok(json.replace('<', "\\u003c"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use holotape::{Keys, LinearKey, PoseCurves};

    use super::*;

    fn named(name: &str) -> String {
        export(&[ExportedRecording { name, recording: &Recording::default(), losses: Vec::new() }]).expect("a page")
    }

    #[test]
    fn names_are_escaped() {
        let page = named("</title></script><script>alert(1)</script>");
        assert!(!page.contains("<script>alert"), "{}", &page[..page.len().min(3000)]);
    }

    #[test]
    fn policy_contains_the_hashes_of_script_and_style() {
        let page = named("take.bin");
        let (_, rest) = page.split_once("<script type=\"module\">").expect("the script");
        let (script, _) = rest.rsplit_once("</script>").expect("its end");
        assert!(page.contains(&hash(script)));
        assert!(page.contains(&hash(STYLE)));
    }

    /// Browsers end an inline element at some of these, and normalize others, which would change the hash.
    #[test]
    fn script_and_style_can_be_inlined() {
        for (asset, text) in [("script", SCRIPT), ("style sheet", STYLE)] {
            let text = text.to_ascii_lowercase();
            for forbidden in ["</script", "<script", "</style", "<!--", "\r", "\0"] {
                assert!(!text.contains(forbidden), "the {asset} contains {forbidden:?}");
            }
        }
    }

    fn with_keys(key_count: usize) -> Recording {
        let mut camera = PoseCurves::default();
        // Values that hardly compress.
        let value = |n: usize| (n as u32).wrapping_mul(2_654_435_769) as f32;
        let keys = (0..key_count).map(|n| LinearKey::new(n as f32 / 60.0, value(n)));
        camera.position[0].keys = Keys::Linear(keys.collect());
        Recording { camera: Some(camera), ..Recording::default() }
    }

    /// The text of all data elements of a part of a page.
    fn elements(html: &str) -> String {
        let elements = html.split("type=\"application/octet-stream\">").skip(1);
        elements.filter_map(|element| Some(element.split_once("</script>")?.0)).collect()
    }

    #[test]
    fn overview_of_a_long_recording_precedes_the_script_and_all_keys_follow() {
        let (short, long) = (with_keys(1 << 20), with_keys((1 << 20) + 1));
        let exported =
            [&short, &long].map(|recording| ExportedRecording { name: "take.bin", recording, losses: Vec::new() });
        let page = export(&exported).expect("a page");
        let (before, rest) = page.split_once("<script type=\"module\" async>").expect("a script that does not wait");
        let after = rest.strip_prefix(SCRIPT).expect("the script");
        let base64 = |pack: Vec<u8>| BASE64_STANDARD.encode(pack);
        let [short, long_pack] =
            [&short, &long].map(|recording| base64(curve_pack::gzipped(recording).expect("a pack")));
        let overview = base64(curve_pack::gzipped_overview(&long).expect("a pack"));
        assert!(elements(before) == short + &overview && elements(after) == long_pack);
        assert!(after.matches("<script").count() > 1, "one element");
        for id in ["holotape-curves-1", "holotape-overview-2", "holotape-state"] {
            assert!(before.contains(&format!("id=\"{id}\"")), "{id}");
        }
        assert!(after.contains("<div id=\"holotape-curves-2\" hidden>"));
    }

    #[test]
    fn policy_allows_workers_of_the_page_only() {
        let page = named("take.bin");
        assert!(page.contains("; worker-src blob:; ") && !page.contains(" 'self'") && !page.contains("https:;"));
    }
}
