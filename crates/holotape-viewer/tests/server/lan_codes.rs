//! Pairing codes: for one device, for ten minutes, and hard to guess.

use holotape_viewer::{LanEvent, NewCodeReason};
use serde_json::json;

use crate::lan::{DEVICE, LOCAL, Lan};

/// An invalid code.
fn other_than(code: &str) -> String {
    let last = if code.ends_with('0') { '1' } else { '0' };
    format!("{}{last}", &code[..code.len() - 1])
}

#[test]
fn code_pairs_one_device() {
    let lan = Lan::start();
    let code = lan.first_code.clone();
    assert_eq!(code.split(' ').map(str::len).collect::<Vec<_>>(), [3, 3], "{code}");
    lan.pair(DEVICE, &code);
    assert_eq!(lan.type_code("127.0.0.3", &code).status, 401);
    assert_eq!(lan.type_code(DEVICE, &code).status, 401);
    assert_eq!(lan.events.recv().unwrap(), LanEvent::Paired { address: DEVICE.parse().unwrap() });
    let LanEvent::NewCode { code: next, reason: NewCodeReason::Used } = lan.events.recv().unwrap() else {
        panic!("no code");
    };
    assert_ne!(next, code);
    let digits = next.replace(' ', "");
    lan.pair("127.0.0.3", &digits);
    lan.stop();
}

#[test]
fn invalid_codes_get_the_same_response() {
    let lan = Lan::start();
    let used = lan.first_code.clone();
    lan.pair(LOCAL, &used);
    let expired = lan.next_code();
    lan.pass_secs(600);
    let wrong = other_than(&expired);
    let with_code = |code: &str| json!({ "code": code }).to_string();
    let applications = [
        with_code(&used),
        with_code(&expired),
        with_code(&wrong),
        with_code(""),
        String::new(),
        "{}".to_owned(),
        "{".to_owned(),
        "null".to_owned(),
        r#"{"code":482913}"#.to_owned(),
        r#"{"code":null}"#.to_owned(),
        "x".repeat(5000),
    ];
    // Each from another address, because of the rate limit.
    let responses = applications.iter().enumerate().map(|(n, application)| {
        let response = lan.request_pairing(&format!("127.0.1.{n}"), application.as_bytes());
        assert_eq!((response.status, response.header("set-cookie")), (401, None), "{application}: {response:?}");
        assert_eq!(response.header("retry-after"), None, "{application}: {response:?}");
        response.body
    });
    let mut responses: Vec<_> = responses.collect();
    responses.dedup();
    assert_eq!(responses.len(), 1, "{responses:?}");
    lan.stop();
}

#[test]
fn code_expires_after_ten_minutes() {
    let lan = Lan::start();
    lan.pass_secs(599);
    lan.pair(DEVICE, &lan.first_code);
    let second = lan.next_code();
    lan.pass_secs(600);
    assert_eq!(lan.type_code(LOCAL, &second).status, 401);
    let LanEvent::NewCode { code: third, reason: NewCodeReason::Expired } = lan.events.recv().unwrap() else {
        panic!("no code");
    };
    lan.pair(LOCAL, &third);
    lan.stop();
}

#[test]
fn failed_attempts_increase_the_wait() {
    let lan = Lan::start();
    let wrong = other_than(&lan.first_code);
    let retry = |response: &crate::lan::Response| response.header("retry-after").map(str::to_owned);
    let mut waits = Vec::new();
    for _ in 0..4 {
        let response = lan.type_code(DEVICE, &wrong);
        assert_eq!(response.status, 401, "{response:?}");
        let Some(wait) = retry(&response) else { continue };
        // The right code is not checked either.
        let early = lan.type_code(DEVICE, &lan.first_code);
        assert_eq!((early.status, retry(&early)), (429, Some(wait.clone())), "{early:?}");
        lan.pass_secs(wait.parse::<u64>().unwrap() - 1);
        assert_eq!(lan.type_code(DEVICE, &lan.first_code).status, 429);
        lan.pass_secs(1);
        waits.push(wait);
    }
    assert_eq!(waits, ["2", "4"]);
    // Other addresses do not wait.
    lan.pair(LOCAL, &lan.first_code);
    lan.pair(DEVICE, &lan.next_code());
    lan.stop();
}

#[test]
fn failed_attempts_replace_the_code_by_a_longer_one() {
    let lan = Lan::start();
    let first = lan.first_code.clone();
    let guess = |n: u32| lan.type_code(&format!("127.0.2.{n}"), "not a code").status;
    for n in 0..5 {
        assert_eq!(guess(n), 401);
    }
    let second = lan.next_code();
    assert_eq!(second.len(), 7);
    assert_eq!(lan.type_code("127.0.2.5", &first).status, 401);
    for n in 6..10 {
        assert_eq!(guess(n), 401);
    }
    let third = lan.next_code();
    assert_eq!(third.split(' ').map(str::len).collect::<Vec<_>>(), [4, 4, 4, 4], "{third}");
    // The owner can pair despite failed attempts, even from the same address.
    for n in 0..100 {
        assert!([401, 429].contains(&lan.type_code(if n % 2 == 0 { LOCAL } else { DEVICE }, "1234").status));
    }
    assert_eq!(lan.type_code(LOCAL, "1234").status, 429);
    lan.pair(LOCAL, &third);
    // Pairing resets the failures.
    assert_eq!(lan.next_code().len(), 7);
    lan.stop();
}
