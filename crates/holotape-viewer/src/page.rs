//! The page, as npm built it, and pages that carry their recordings.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use holotape::Recording;
use sha2::{Digest, Sha256};

use crate::describe::{Contents, Origin, SessionInfo, TakeInfo};
use crate::tape;

/// The page as the server sends it.
pub(crate) const HTML: &str = include_str!(concat!(env!("OUT_DIR"), "/web/index.html"));
/// Its script.
pub(crate) const SCRIPT: &str = include_str!(concat!(env!("OUT_DIR"), "/web/viewer.js"));
/// Its style sheet.
pub(crate) const STYLE: &str = include_str!(concat!(env!("OUT_DIR"), "/web/viewer.css"));

/// What every exported page has near its start, and no other page.
///
/// ```
/// let page = holotape_viewer::page::export(&[])?;
/// assert!(page[..1000].contains(holotape_viewer::page::GENERATOR));
/// # Ok::<(), holotape::Error>(())
/// ```
pub const GENERATOR: &str = "<meta name=\"generator\" content=\"holotape\">";

/// One file with the recordings and all that it takes to play them: it opens from disk, asks nobody for anything, and says so to
/// the browser, which holds it to that.
///
/// ```
/// let take = holotape::demo::DemoOptions::new().with_seconds(1.0).record()?;
/// let page = holotape_viewer::page::export(&[("take.bin".to_owned(), &take)])?;
/// assert!(page.contains("connect-src") == false && page.contains("default-src 'none'"));
/// # Ok::<(), holotape::Error>(())
/// ```
///
/// # Errors
/// If a recording has more keys in a curve than its format can count.
pub fn export(takes: &[(String, &Recording)]) -> holotape::Result<String> {
    let contents = takes.iter().map(|(_, take)| Contents::of(take)).collect::<holotape::Result<Vec<_>>>()?;
    let infos = (1..).zip(takes.iter().zip(&contents));
    let infos = infos.map(|(id, ((name, _), contents))| TakeInfo::new(id, name, Origin::File, contents));
    let session = SessionInfo { takes: infos.collect(), ..SessionInfo::default() };
    let mut data = data_element("holotape-session", "application/json", &json_in_html(&session)?);
    for (id, (_, take)) in (1..).zip(takes) {
        let tape = BASE64_STANDARD.encode(tape::zipped(take)?);
        data += &data_element(&format!("holotape-tape-{id}"), "application/octet-stream", &tape);
    }
    let title = takes.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ");
    Ok(assemble(&escaped(&title), &data))
}

/// The page with script, style and data inside, and a policy that allows these and nothing else.
fn assemble(title: &str, data: &str) -> String {
    // Within a script, this sequence would end it; the backslash changes nothing in a string or a pattern.
    let script = SCRIPT.replace("</script", "<\\/script");
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data: blob:; base-uri 'none'; form-action 'none'",
        hash(&script),
        hash(STYLE)
    );
    let mut page = String::with_capacity(script.len() + STYLE.len() + data.len() + 1000);
    page += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
    page += &format!("<meta http-equiv=\"content-security-policy\" content=\"{policy}\">\n");
    page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    page += &format!("<meta name=\"color-scheme\" content=\"light dark\">\n{GENERATOR}\n");
    page += &format!("<title>{title}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{data}");
    page += &format!("<script type=\"module\">{script}</script>\n</body>\n</html>\n");
    page
}

fn hash(text: &str) -> String {
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(text)))
}

fn data_element(id: &str, kind: &str, text: &str) -> String {
    format!("<script id=\"{id}\" type=\"{kind}\">{text}</script>\n")
}

/// JSON in which nothing looks like the end of a script.
fn json_in_html(session: &SessionInfo<'_>) -> holotape::Result<String> {
    let json = serde_json::to_string(session).map_err(std::io::Error::from)?;
    Ok(json.replace('<', "\\u003c"))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place() {
        let take = Recording::default();
        let page = export(&[("</title></script><script>alert(1)</script>".to_owned(), &take)]).expect("a page");
        assert!(!page.contains("<script>alert"), "{}", &page[..page.len().min(3000)]);
    }

    #[test]
    fn the_policy_names_the_script_that_is_there() {
        let page = export(&[]).expect("a page");
        let (_, rest) = page.split_once("<script type=\"module\">").expect("the script");
        let (script, _) = rest.rsplit_once("</script>").expect("its end");
        assert!(page.contains(&hash(script)));
        assert!(page.contains(&hash(STYLE)));
    }
}
