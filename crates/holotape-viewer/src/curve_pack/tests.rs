use std::collections::{BTreeSet, HashMap};
use std::io::Read;

use flate2::read::GzDecoder;
use holotape::{BezierKey, BoolCurve, Curve, Hand, LinearKey, PoseCurves, demo::DemoOptions};
use serde_json::Value;

use super::*;

/// A curve as the page decodes it. Words are the bits of numbers.
#[derive(Debug, PartialEq)]
struct DecodedCurve {
    header: Value,
    times: Vec<u32>,
    values: Vec<u32>,
}

impl DecodedCurve {
    fn keys(&self) -> impl Iterator<Item = (u32, u32)> {
        self.times.iter().copied().zip(self.values.iter().copied())
    }

    fn end_secs(&self) -> f32 {
        f32::from_bits(*self.times.last().expect("a key"))
    }
}

/// Decodes the curves of a pack by name. Skips tangents, weights and modes.
fn decode(pack: &[u8]) -> HashMap<String, DecodedCurve> {
    assert_eq!(&pack[..4], MAGIC);
    let header_end = 8 + u32::from_le_bytes(pack[4..8].try_into().expect("four bytes")) as usize;
    let header: Value = serde_json::from_slice(&pack[8..header_end]).expect("JSON");
    let mut rest = &pack[header_end..];
    let mut array = |count: usize| {
        let (bytes, others) = rest.split_at(4 * count);
        rest = others;
        let byte = |n: usize, plane: usize| u32::from(bytes[plane * count + n]) << (8 * plane);
        let deltas = (0..count).map(|n| (0..4).map(|plane| byte(n, plane)).sum::<u32>());
        let words = deltas.scan(0_u32, |last, delta| {
            *last = last.wrapping_add(delta >> 1 ^ (delta & 1).wrapping_neg());
            Some(*last)
        });
        words.collect::<Vec<_>>()
    };
    let counts = header["time_counts"].as_array().expect("counts");
    let times: Vec<_> = counts.iter().map(|count| array(count.as_u64().expect("a count") as usize)).collect();
    let mut curves = HashMap::new();
    for header in header["curves"].as_array().expect("curves") {
        let times = times[header["times"].as_u64().expect("an index") as usize].clone();
        let values = array(times.len());
        (0..if header["kind"] == "bezier" { 5 } else { 0 }).for_each(|_| drop(array(times.len())));
        curves.insert(
            header["name"].as_str().expect("a name").to_owned(),
            DecodedCurve { header: header.clone(), times, values },
        );
    }
    assert!(rest.is_empty());
    curves
}

fn packed(recording: &Recording, keys: KeySelection) -> HashMap<String, DecodedCurve> {
    decode(&decompressed(&gzipped_keys(recording, keys).expect("a pack")))
}

fn decompressed(gzipped: &[u8]) -> Vec<u8> {
    let mut pack = Vec::new();
    GzDecoder::new(gzipped).read_to_end(&mut pack).expect("valid gzip");
    pack
}

fn demo(seconds: f64) -> Recording {
    DemoOptions::new().with_seconds(seconds).generate().expect("a demo")
}

/// A recording with one curve, `camera.position.x`.
fn with_curve(keys: Keys) -> Recording {
    let mut camera = PoseCurves::default();
    camera.position[0] = Curve { keys, ..Curve::default() };
    Recording { camera: Some(camera), ..Recording::default() }
}

fn bezier_keys(count: usize) -> Keys {
    let key = |n| BezierKey { out_tangent: 100.0, ..BezierKey::from(LinearKey::new(n as f32, 1.0)) };
    Keys::Bezier((0..count).map(key).collect())
}

#[test]
fn overview_has_the_start_and_some_later_keys_of_every_curve() {
    let recording = demo(60.0);
    let [all, overview] = [KeySelection::All, KeySelection::Overview].map(|keys| packed(&recording, keys));
    assert_eq!(all.len(), overview.len());
    let mut dropped_count = 0;
    for (name, all) in &all {
        let overview = &overview[name];
        let kept: BTreeSet<_> = overview.keys().collect();
        assert!(kept.is_subset(&all.keys().collect()), "{name}");
        assert!(all.keys().filter(|(time, _)| f32::from_bits(*time) <= 10.0).all(|key| kept.contains(&key)), "{name}");
        assert_eq!(overview.end_secs(), all.end_secs(), "{name}");
        assert!(overview.times.iter().filter(|time| f32::from_bits(**time) > 10.0).count() <= 1800, "{name}");
        dropped_count += all.times.len() - overview.times.len();
    }
    assert!(dropped_count > 100_000, "{dropped_count}");
}

#[test]
fn curves_with_equal_times_have_equal_times_in_the_overview() {
    let recording = demo(60.0);
    let [all, overview] = [KeySelection::All, KeySelection::Overview].map(|keys| packed(&recording, keys));
    let indices = |name: &str| [&all, &overview].map(|curves| curves[name].header["times"].clone());
    let mut pairs = HashMap::new();
    for name in all.keys().filter(|name| !name.ends_with("tracked") && !name.ends_with("pinching")) {
        let [index, overview_index] = indices(name);
        assert_eq!(pairs.entry(index.as_u64()).or_insert_with(|| overview_index.clone()), &overview_index, "{name}");
    }
    assert!(pairs.len() < 10 && !pairs.is_empty());
}

#[test]
fn overview_keeps_all_keys_of_flags() {
    let keys: Vec<_> = (0..5000).map(|n| LinearKey::new(n as f32, (n % 2) as f32)).collect();
    let mut recording = Recording::default();
    recording.hand_mut(Hand::Left).tracked = BoolCurve { keys: keys.clone(), ..BoolCurve::default() };
    let overview = packed(&recording, KeySelection::Overview);
    assert_eq!(overview["left.tracked"].times.len(), keys.len());
    assert_eq!(overview, packed(&recording, KeySelection::All));
}

#[test]
fn overview_of_a_short_recording_has_all_keys() {
    let recording = demo(3.0);
    assert_eq!(gzipped_overview(&recording).unwrap(), gzipped(&recording).unwrap());
}

#[test]
fn bezier_curves_with_dropped_keys_become_linear() {
    for (count, kind) in [(1800, "bezier"), (1900, "linear")] {
        let recording = with_curve(bezier_keys(count));
        let overview = packed(&recording, KeySelection::Overview);
        assert_eq!(overview["camera.position.x"].header["kind"], kind, "{count} keys");
        assert_eq!(packed(&recording, KeySelection::All)["camera.position.x"].header["kind"], "bezier");
    }
}

#[test]
fn overview_of_damaged_times_is_sorted_and_has_no_nan() {
    let time = |n: usize| match n % 7 {
        0 => f32::NAN,
        1 => f32::INFINITY,
        2 => f32::NEG_INFINITY,
        _ => (n * 7919 % 10_007) as f32,
    };
    let recording = with_curve(Keys::Linear((0..10_000).map(|n| LinearKey::new(time(n), n as f32)).collect()));
    let [all, overview] = [KeySelection::All, KeySelection::Overview].map(|keys| packed(&recording, keys));
    let [all, overview] = [all, overview].map(|mut curves| curves.remove("camera.position.x").expect("the curve"));
    assert!(overview.times.iter().map(|time| f32::from_bits(*time)).is_sorted());
    assert!(overview.times.len() < all.times.len() && overview.times.len() > 1800);
    assert!(overview.keys().collect::<BTreeSet<_>>().is_subset(&all.keys().collect()));
    assert_eq!((overview.end_secs(), overview.times[0]), (f32::INFINITY, all.times[0]));

    let without_times = with_curve(Keys::Linear(vec![LinearKey::new(f32::NAN, 1.0); 5000]));
    assert!(packed(&without_times, KeySelection::Overview).is_empty());
}

#[test]
fn gzipped_bytes_do_not_depend_on_the_number_of_threads() {
    let recording = demo(30.0);
    let mut pack = Vec::new();
    write(&recording, &mut pack).expect("memory");
    assert!(pack.len() > 8 * gzip::BLOCK_BYTES);
    let gzipped = gzipped(&recording).expect("a pack");
    assert!(decompressed(&gzipped) == pack);
    assert_eq!(decompressed_bytes(&gzipped) as usize, pack.len());
    for threads in [1, 2, 3, 7] {
        let other = CurvePack::new(&recording, KeySelection::All).and_then(|pack| pack.gzip(threads));
        assert!(other.expect("a pack") == gzipped, "{threads} threads");
    }
}

#[test]
fn packs_without_curves_are_valid() {
    for keys in [KeySelection::All, KeySelection::Overview] {
        assert!(packed(&Recording::default(), keys).is_empty());
    }
}
