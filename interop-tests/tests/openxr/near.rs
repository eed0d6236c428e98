//! Comparison of frames.

use holotape::{Frame, Hand, Joint, Pose, Ray, Skeleton};

use crate::client::ClientFrame;

/// The largest differences that were seen, and the largest that are allowed.
#[derive(Debug)]
pub(crate) struct Near {
    max_m: f64,
    max_deg: f64,
    seen_m: f64,
    seen_deg: f64,
    count: usize,
}

impl Near {
    pub(crate) fn new(max_m: f64, max_deg: f64) -> Self {
        Self { max_m, max_deg, seen_m: 0.0, seen_deg: 0.0, count: 0 }
    }

    /// Asserts that two poses are near each other, or both missing.
    pub(crate) fn poses(&mut self, what: &str, a: Option<Pose>, b: Option<Pose>) {
        match (a, b) {
            (Some(a), Some(b)) => self.add(what, a.distance_m(&b), a.angle_deg(&b)),
            (None, None) => {}
            _ => panic!("{what}: {a:?} and {b:?}"),
        }
    }

    pub(crate) fn rays(&mut self, what: &str, a: Option<Ray>, b: Option<Ray>) {
        match (a, b) {
            (Some(a), Some(b)) => self.add(what, a.distance_m(&b), a.angle_deg(&b)),
            (None, None) => {}
            _ => panic!("{what}: {a:?} and {b:?}"),
        }
    }

    /// Asserts that a frame of a recording has the poses that the application saw.
    pub(crate) fn client(&mut self, what: &str, recorded: &Frame, seen: &ClientFrame) {
        self.poses(&format!("{what}: head"), recorded.camera, seen.head);
        for (hand, seen) in Hand::ALL.into_iter().zip(&seen.hands) {
            let recorded = recorded.hand(hand).filter(|hand| hand.tracked);
            assert_eq!(recorded.is_some(), seen.is_active, "{what}: {hand} is tracked");
            for joint in Joint::ALL {
                if let (Some(index), Some(recorded)) = (Skeleton::OpenXr.index(joint), recorded) {
                    self.poses(&format!("{what}: {hand} {joint}"), recorded.joint(joint), seen.joints[index]);
                }
            }
        }
    }

    /// Asserts that two frames have the same poses; those of a hand only if both track it.
    pub(crate) fn frames(&mut self, what: &str, a: &Frame, b: &Frame) {
        self.poses(&format!("{what}: head"), a.camera, b.camera);
        self.rays(&format!("{what}: gaze"), a.gaze, b.gaze);
        for hand in Hand::ALL {
            let [a, b] = [a, b].map(|frame| frame.hand(hand).filter(|hand| hand.tracked));
            assert_eq!(a.is_some(), b.is_some(), "{what}: {hand} is tracked");
            for joint in Joint::ALL.into_iter().filter(|joint| *joint != Joint::None) {
                if let (Some(a), Some(b)) = (a, b) {
                    self.poses(&format!("{what}: {hand} {joint}"), a.joint(joint), b.joint(joint));
                }
            }
        }
    }

    /// Asserts that at least this many were compared, and prints the largest differences.
    pub(crate) fn finish(self, what: &str, min_count: usize) {
        println!("{what}: {} compared, at most {:.4} mm and {:.4}°", self.count, self.seen_m * 1e3, self.seen_deg);
        assert!(self.count >= min_count, "{what}: only {} compared", self.count);
    }

    fn add(&mut self, what: &str, distance_m: f64, angle_deg: f64) {
        self.count += 1;
        self.seen_m = self.seen_m.max(distance_m);
        self.seen_deg = self.seen_deg.max(angle_deg);
        assert!(distance_m <= self.max_m, "{what}: {} mm apart", distance_m * 1e3);
        assert!(angle_deg <= self.max_deg, "{what}: {angle_deg}° apart");
    }
}
