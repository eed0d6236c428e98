//! Recordings with arbitrary bits, for property tests.

use holotape::format::{Channels, Format, Layout};
use holotape::{BezierKey, BoolCurve, Curve, Hand, Joint, Keys, LinearKey, Marker, Recording, WeightedMode, WrapMode};
use proptest::prelude::*;

/// Arbitrary bits, with many of the values that are easily lost.
fn any_float() -> impl Strategy<Value = f32> {
    let special =
        [0x8000_0000, 0x15ae_43fd, 0x7fc0_0000, 0x7fa0_0001, 0xffc0_1234, 0x7f80_0000, 0xff80_0000, 1, 0x007f_ffff];
    prop_oneof![
        any::<u32>().prop_map(f32::from_bits),
        prop::sample::select(special.to_vec()).prop_map(f32::from_bits),
        -2.0..2.0_f32,
    ]
}

fn any_linear_keys() -> impl Strategy<Value = Vec<LinearKey>> {
    let key = (any_float(), any_float()).prop_map(|(time, value)| LinearKey { time, value });
    prop::collection::vec(key, 0..5)
}

fn any_bezier_keys() -> impl Strategy<Value = Vec<BezierKey>> {
    let key = (prop::array::uniform6(any_float()), any::<i32>()).prop_map(|(f, mode)| BezierKey {
        time: f[0],
        value: f[1],
        in_tangent: f[2],
        out_tangent: f[3],
        in_weight: f[4],
        out_weight: f[5],
        weighted_mode: WeightedMode(mode),
    });
    prop::collection::vec(key, 0..5)
}

fn any_wrap() -> impl Strategy<Value = WrapMode> {
    prop_oneof![Just(WrapMode::CLAMP_FOREVER), any::<i32>().prop_map(WrapMode)]
}

fn any_curve(layout: Layout) -> impl Strategy<Value = Curve> {
    let keys = match layout {
        Layout::Compact11 => any_linear_keys().prop_map(Keys::Linear).boxed(),
        Layout::Full10 | Layout::Full11 => any_bezier_keys().prop_map(Keys::Bezier).boxed(),
    };
    (any_wrap(), any_wrap(), keys).prop_map(|(pre_wrap, post_wrap, keys)| Curve { pre_wrap, post_wrap, keys })
}

fn any_bool_curve() -> impl Strategy<Value = BoolCurve> {
    (any_wrap(), any_wrap(), any_linear_keys()).prop_map(|(pre_wrap, post_wrap, keys)| BoolCurve {
        pre_wrap,
        post_wrap,
        keys,
    })
}

pub fn any_recording() -> impl Strategy<Value = Recording> {
    let layout = prop::sample::select(vec![Layout::Full10, Layout::Full11, Layout::Compact11]);
    (layout, any::<bool>(), any::<[bool; 3]>()).prop_flat_map(|(layout, marker_list, [camera, hands, gaze])| {
        let channels = match layout {
            Layout::Full10 => Channels::V1_0,
            Layout::Full11 | Layout::Compact11 => Channels { camera, hands, gaze },
        };
        let curves = prop::collection::vec(any_curve(layout), 13);
        let markers = prop::collection::vec((any_float(), ".{0,200}"), if marker_list { 0..4 } else { 0..1 });
        (curves, any_bool_curve(), any_bool_curve(), markers).prop_map(move |(curves, tracked, pinching, markers)| {
            let mut recording = Recording::with_channels(channels);
            recording.format = Format { layout, marker_list };
            let mut curves = curves.into_iter();
            let mut next = || curves.next().unwrap_or_default();
            if let Some(camera) = &mut recording.camera {
                camera.position[1] = next();
                camera.rotation[3] = next();
            }
            if channels.hands {
                recording.hand_mut(Hand::Left).tracked = tracked;
                recording.hand_mut(Hand::Right).pinching = pinching;
                recording.hand_mut(Hand::Left).joint_mut(Joint::None).position[0] = next();
                recording.hand_mut(Hand::Right).joint_mut(Joint::PinkyTip).rotation[3] = next();
            }
            if let Some(gaze) = &mut recording.gaze {
                gaze.direction[2] = next();
            }
            recording.markers =
                markers.into_iter().map(|(time, name)| Marker { time, name }).collect::<Vec<_>>().into();
            recording
        })
    })
}
