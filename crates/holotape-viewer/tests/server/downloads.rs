//! Downloads.

use axum::body::Body;
use axum::http::Method;
use holotape::Recording;
use holotape::edit::trim;
use holotape::format::{Format, Layout};
use holotape_convert::gltf::{self, GltfOptions};
use holotape_convert::table::TableOptions;
use holotape_convert::{Losses, csv};
use holotape_viewer::{Viewer, ViewerOptions};
use percent_encoding::percent_decode;

use crate::client::{Client, Response, bytes_of, demo, request, valid};

fn losses_in(response: &Response) -> Vec<String> {
    let encoded = response.headers["holotape-losses"].as_bytes();
    serde_json::from_slice(&percent_decode(encoded).collect::<Vec<_>>()).unwrap()
}

fn messages(losses: &Losses) -> Vec<String> {
    losses.iter().map(ToString::to_string).collect()
}

fn check(response: &Response, expected: &[u8], losses: &Losses) {
    assert!(response.body == expected, "{} bytes instead of {}", response.body.len(), expected.len());
    assert_eq!(response.headers["content-length"], expected.len().to_string());
    assert_eq!(losses_in(response), messages(losses));
}

async fn check_all(client: &Client, query: &str, span: &Recording) {
    let get = async |kind: &str| client.get(&format!("/api/recordings/1/download?format={kind}{query}")).await;
    let (bytes, losses) = span.to_vec().unwrap();
    check(&get("bin").await.ok(), &bytes, &losses.into());
    let mut glb = Vec::new();
    let losses = gltf::write_glb(span, &GltfOptions::new(), &mut glb).unwrap();
    check(&get("glb").await.ok(), &glb, &losses);
    let mut table = Vec::new();
    let losses = csv::write(span, &TableOptions::new(), &mut table).unwrap();
    check(&get("csv").await.ok(), &table, &losses);
}

#[tokio::test]
async fn downloads_equal_the_output_of_the_library() {
    for name in ["mrtk28_all.bin", "mrtk25_simulated.bin", "curves_every_rule.bin", "empty10.bin"] {
        let viewer = Viewer::new(ViewerOptions::new());
        let _ = viewer.open(valid(name)).unwrap();
        check_all(&Client::new(&viewer), "", &Recording::open(valid(name)).unwrap()).await;
    }
}

#[tokio::test]
async fn downloaded_spans_equal_the_output_of_trim() {
    let recording = demo(4.0);
    let client = Client::editing(&recording);
    check_all(&client, "&from=1.25&to=2.5", &trim(&recording, 1.25..2.5).unwrap()).await;
    check_all(&client, "&from=1.25", &trim(&recording, 1.25..).unwrap()).await;
    check_all(&client, "&to=2.5", &trim(&recording, ..2.5).unwrap()).await;
    assert_eq!(client.recording(1).await["revision"], 0);
}

#[tokio::test]
async fn span_up_to_the_end_keeps_markers_at_the_end() {
    let mut recording = demo(2.0);
    recording.markers.add(2.0, "the end");
    recording.markers.add(2.5, "after it");
    let client = Client::editing(&recording);
    for query in ["&from=1&to=2", "&from=1&to=3"] {
        let part = client.get(&format!("/api/recordings/1/download?format=bin{query}")).await.ok();
        assert!(part.body == bytes_of(&trim(&recording, 1.0..).unwrap()), "{query}");
    }
}

#[tokio::test]
async fn invalid_spans_are_rejected() {
    let client = Client::editing(&demo(2.0));
    for query in ["from=1.5&to=1", "from=3&to=4", "from=NaN", "to=NaN", "from=inf", "to=-1", "from=1e300&to=1e301"] {
        client.get(&format!("/api/recordings/1/download?format=bin&{query}")).await.assert_error(422, "");
    }
    client.get("/api/recordings/1/download?format=bin&from=x").await.assert_error(400, "");
}

#[tokio::test]
async fn file_names_are_percent_encoded() {
    let viewer = Viewer::new(ViewerOptions::new());
    viewer.add("a \"b\"; ü\r\n.bin", demo(1.0)).unwrap();
    let response = Client::new(&viewer).get("/api/recordings/1/download?format=glb").await.ok();
    assert_eq!(
        response.headers["content-disposition"],
        "attachment; filename*=UTF-8''a%20%22b%22%3B%20%C3%BC%0D%0A.glb"
    );
}

#[tokio::test]
async fn losses_are_in_a_header() {
    let mut recording = demo(1.0);
    recording.format = Format { layout: Layout::Full10, ..recording.format };
    let response = Client::editing(&recording).get("/api/recordings/1/download?format=bin").await.ok();
    assert!(losses_in(&response).iter().any(|loss| loss.contains("gaze")), "{:?}", losses_in(&response));
}

#[tokio::test]
async fn head_responses_have_no_body() {
    let client = Client::editing(&demo(1.0));
    let head = request(Method::HEAD, "/api/recordings/1/download?format=bin").body(Body::empty()).unwrap();
    let response = client.send(head).await.ok();
    assert!(response.body.is_empty());
    assert_eq!(response.headers["content-length"], client.bin(1).await.len().to_string());
}
