//! Codes: one device each, not for long, and not to be guessed.

use holotape_viewer::{LanEvent, NewCodeReason};
use serde_json::json;

use crate::lan::{Lan, ME, SOMEBODY};

/// A code that is none.
fn other_than(code: &str) -> String {
    let last = if code.ends_with('0') { '1' } else { '0' };
    format!("{}{last}", &code[..code.len() - 1])
}

#[test]
fn a_code_lets_one_device_in() {
    let lan = Lan::start();
    let code = lan.first_code.clone();
    assert_eq!(code.split(' ').map(str::len).collect::<Vec<_>>(), [3, 3], "{code}");
    lan.pair(SOMEBODY, &code);
    assert_eq!(lan.type_code("127.0.0.3", &code).status, 401);
    assert_eq!(lan.type_code(SOMEBODY, &code).status, 401);
    assert_eq!(lan.news.recv().unwrap(), LanEvent::Paired { address: SOMEBODY.parse().unwrap() });
    let LanEvent::NewCode { code: next, reason: NewCodeReason::Used } = lan.news.recv().unwrap() else {
        panic!("no code");
    };
    assert_ne!(next, code);
    let digits = next.replace(' ', "");
    lan.pair("127.0.0.3", &digits);
    lan.stop();
}

#[test]
fn whatever_is_wrong_is_refused_alike() {
    let lan = Lan::start();
    let used = lan.first_code.clone();
    lan.pair(ME, &used);
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
        r#"{"code":null,"ticket":null}"#.to_owned(),
        r#"{"ticket":""}"#.to_owned(),
        json!({ "ticket": "0".repeat(64) }).to_string(),
        "x".repeat(5000),
    ];
    // Each from an address of its own, or they would have to wait. The tickets count for nothing.
    let answers = applications.iter().enumerate().map(|(n, application)| {
        let answer = lan.apply(&format!("127.0.1.{n}"), application.as_bytes());
        assert_eq!((answer.status, answer.header("set-cookie")), (401, None), "{application}: {answer:?}");
        assert_eq!(answer.header("retry-after"), None, "{application}: {answer:?}");
        answer.body
    });
    let mut answers: Vec<_> = answers.collect();
    answers.dedup();
    assert_eq!(answers.len(), 1, "{answers:?}");
    lan.stop();
}

#[test]
fn a_code_is_good_for_ten_minutes() {
    let lan = Lan::start();
    lan.pass_secs(599);
    lan.pair(SOMEBODY, &lan.first_code);
    let second = lan.next_code();
    lan.pass_secs(600);
    assert_eq!(lan.type_code(ME, &second).status, 401);
    let LanEvent::NewCode { code: third, reason: NewCodeReason::Expired } = lan.news.recv().unwrap() else {
        panic!("no code");
    };
    lan.pair(ME, &third);
    lan.stop();
}

#[test]
fn who_guesses_waits_longer_and_longer() {
    let lan = Lan::start();
    let wrong = other_than(&lan.first_code);
    let retry = |answer: &crate::lan::Answer| answer.header("retry-after").map(str::to_owned);
    let mut waits = Vec::new();
    for _ in 0..4 {
        let answer = lan.type_code(SOMEBODY, &wrong);
        assert_eq!(answer.status, 401, "{answer:?}");
        let Some(wait) = retry(&answer) else { continue };
        // Not even the right one is looked at.
        let early = lan.type_code(SOMEBODY, &lan.first_code);
        assert_eq!((early.status, retry(&early)), (429, Some(wait.clone())), "{early:?}");
        lan.pass_secs(wait.parse::<u64>().unwrap() - 1);
        assert_eq!(lan.type_code(SOMEBODY, &lan.first_code).status, 429);
        lan.pass_secs(1);
        waits.push(wait);
    }
    assert_eq!(waits, ["2", "4"]);
    // Others do not wait for them, and neither do they for ever.
    lan.pair(ME, &lan.first_code);
    lan.pair(SOMEBODY, &lan.next_code());
    lan.stop();
}

#[test]
fn guesses_wear_a_code_out_and_make_the_next_one_longer() {
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
    // However many there are who guess, and be it from the owner's own address: the owner comes in.
    for n in 0..100 {
        assert!([401, 429].contains(&lan.type_code(if n % 2 == 0 { ME } else { SOMEBODY }, "1234").status));
    }
    assert_eq!(lan.type_code(ME, "1234").status, 429);
    lan.pair(ME, &third);
    // Nobody guesses any more, it seems.
    assert_eq!(lan.next_code().len(), 7);
    lan.stop();
}

#[test]
fn a_ticket_lets_one_browser_of_this_machine_in() {
    let lan = Lan::start();
    let bring = |from: &str| lan.apply(from, json!({ "ticket": lan.ticket }).to_string().as_bytes());
    let others = if_addrs::get_if_addrs().unwrap_or_default();
    for own in others.iter().filter(|own| own.ip().is_ipv4() && !own.is_loopback()) {
        assert_eq!(bring(&own.ip().to_string()).status, 401, "from the network");
    }
    let cookie = bring(ME).cookie();
    assert_eq!(lan.ask(ME, "GET /api/session", &cookie, b"").status, 200);
    assert_eq!(bring(ME).status, 401, "once");
    // The code is as good as it was.
    lan.pair(SOMEBODY, &lan.first_code);
    lan.stop();
    let lan = Lan::start();
    lan.pass_secs(600);
    assert_eq!(lan.apply(ME, json!({ "ticket": lan.ticket }).to_string().as_bytes()).status, 401, "too late");
    lan.stop();
}
