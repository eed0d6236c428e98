//! Takes as files.

use axum::body::Body;
use axum::http::Method;
use holotape::Recording;
use holotape::edit::trim;
use holotape::format::{Format, Layout};
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::table::TableOptions;
use holotape_convert::{Losses, csv};
use holotape_viewer::{Viewer, ViewerOptions};

use crate::client::{Answer, Client, bytes_of, demo, request, valid};

fn losses_in(answer: &Answer) -> Vec<String> {
    let encoded = answer.headers["holotape-losses"].to_str().unwrap();
    let mut bytes = Vec::new();
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        let mut digit = || char::from(rest.next().unwrap()).to_digit(16).unwrap() as u8;
        bytes.push(if byte == b'%' { 16 * digit() + digit() } else { byte });
    }
    serde_json::from_slice(&bytes).unwrap()
}

fn words(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

fn check(answer: &Answer, expected: &[u8], losses: &Losses) {
    assert!(answer.body == expected, "{} bytes instead of {}", answer.body.len(), expected.len());
    assert_eq!(answer.headers["content-length"], expected.len().to_string());
    assert_eq!(losses_in(answer), words(losses));
}

async fn check_all(client: &Client, query: &str, part: &Recording) {
    let get = async |kind: &str| client.get(&format!("/api/takes/1/download?as={kind}{query}")).await;
    let (bytes, losses) = part.to_vec().unwrap();
    check(&get("bin").await.ok(), &bytes, &losses.into());
    let mut glb = Vec::new();
    let losses = gltf::write_glb(part, &GltfOptions::new(), &mut glb).unwrap();
    check(&get("glb").await.ok(), &glb, &losses);
    let mut table = Vec::new();
    let losses = csv::write(part, &TableOptions::new(), &mut table).unwrap();
    check(&get("csv").await.ok(), &table, &losses);
}

#[tokio::test]
async fn downloads_are_what_the_library_writes() {
    for name in ["mrtk28_all.bin", "mrtk25_simulated.bin", "curves_every_rule.bin", "empty10.bin"] {
        let viewer = Viewer::new(ViewerOptions::new());
        let _ = viewer.open(valid(name)).unwrap();
        check_all(&Client::of(&viewer), "", &Recording::open(valid(name)).unwrap()).await;
    }
}

#[tokio::test]
async fn parts_are_what_trim_makes_of_them() {
    let recording = demo(4.0);
    let client = Client::editing(&recording);
    check_all(&client, "&from=1.25&to=2.5", &trim(&recording, 1.25..2.5).unwrap()).await;
    check_all(&client, "&from=1.25", &trim(&recording, 1.25..).unwrap()).await;
    check_all(&client, "&to=2.5", &trim(&recording, ..2.5).unwrap()).await;
    assert_eq!(client.take(1).await["revision"], 0);
}

#[tokio::test]
async fn a_part_up_to_the_end_keeps_what_is_at_the_end() {
    let mut recording = demo(2.0);
    recording.markers.add(2.0, "the end");
    recording.markers.add(2.5, "after it");
    let client = Client::editing(&recording);
    for query in ["&from=1&to=2", "&from=1&to=3"] {
        let part = client.get(&format!("/api/takes/1/download?as=bin{query}")).await.ok();
        assert!(part.body == bytes_of(&trim(&recording, 1.0..).unwrap()), "{query}");
    }
}

#[tokio::test]
async fn spans_that_are_none_are_refused() {
    let client = Client::editing(&demo(2.0));
    for query in ["from=1.5&to=1", "from=3&to=4", "from=NaN", "to=NaN", "from=inf", "to=-1", "from=1e300&to=1e301"] {
        client.get(&format!("/api/takes/1/download?as=bin&{query}")).await.refused(422, "");
    }
    client.get("/api/takes/1/download?as=bin&from=x").await.refused(400, "");
}

#[tokio::test]
async fn names_are_those_of_files() {
    let viewer = Viewer::new(ViewerOptions::new());
    viewer.add("a \"b\"; ü\r\n.bin", demo(1.0)).unwrap();
    let answer = Client::of(&viewer).get("/api/takes/1/download?as=glb").await.ok();
    assert_eq!(answer.headers["content-disposition"], "attachment; filename*=UTF-8''a%20%22b%22%3B%20%C3%BC%0D%0A.glb");
}

#[tokio::test]
async fn what_the_format_cannot_hold_is_told_before_it_comes() {
    let mut recording = demo(1.0);
    recording.format = Format { layout: Layout::Full10, ..recording.format };
    let answer = Client::editing(&recording).get("/api/takes/1/download?as=bin").await.ok();
    assert!(losses_in(&answer).iter().any(|loss| loss.contains("gaze")), "{:?}", losses_in(&answer));
}

#[tokio::test]
async fn heads_have_no_body() {
    let client = Client::editing(&demo(1.0));
    let head = request(Method::HEAD, "/api/takes/1/download?as=bin").body(Body::empty()).unwrap();
    let answer = client.send(head).await.ok();
    assert!(answer.body.is_empty());
    assert_eq!(answer.headers["content-length"], client.bin(1).await.len().to_string());
}
