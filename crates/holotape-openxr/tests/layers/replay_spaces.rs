//! Spaces of a replay: all of them agree with each other, and with a fixed step with those of other runs.

use holotape_openxr::{ReplayConfig, SpaceChoice};
use openxr_sys as xr;
use xr::ReferenceSpaceType as Type;

use crate::fake::{Bed, FIRST_NANOS, Options, Rigid, SeenFrame, runtime};
use crate::record::nanos_of;
use crate::replay::{demo, replay};

#[test]
fn spaces_located_at_once_are_where_each_is() {
    let bed = Bed::new();
    let config = bed.replay_config(&demo());
    let extensions = ["XR_EXT_hand_tracking", "XR_EXT_eye_gaze_interaction", "XR_KHR_locate_spaces"];
    let app = bed.start_with(replay(&config), &extensions).expect("an instance");
    let session = app.session();
    let offset = Rigid::new(30.0, [0.1, 0.2, 0.3]);
    let [local, neck] = [Type::LOCAL, Type::VIEW].map(|kind| session.reference_space(kind, offset));
    let spaces = [session.view, neck, local, session.gaze.expect("a space"), session.grips[0], session.grips[1]];
    for n in 0..100 {
        let nanos = session.frame().nanos;
        let each: Vec<_> =
            spaces.iter().map(|space| session.locate(*space, session.base, nanos).expect("an answer")).collect();
        assert!(each[..4].iter().all(Option::is_some), "frame {n}: {each:?}");
        for is_khr in [false, true] {
            assert_eq!(session.locate_all(&spaces, nanos, is_khr), each, "frame {n}");
        }
        let head = each[0].expect("a head");
        head.then(offset).assert_near(each[1].expect("a space"), "a space with an offset");
    }
    session.end();
    app.end();
}

#[test]
fn head_is_the_same_in_every_base() {
    let bed = Bed::new();
    let config = bed.replay_config(&demo());
    let app = bed.start(replay(&config));
    let session = app.session();
    let local = session.reference_space(Type::LOCAL, Rigid::IDENTITY);
    session.frame();
    let nanos = nanos_of(0);
    let locate = |space, base| session.locate(space, base, nanos).expect("an answer").expect("a pose");
    let in_stage = locate(session.view, session.base);
    let local_in_stage = runtime().local_in_stage;
    locate(session.view, local).assert_near(local_in_stage.inverse().then(in_stage), "head in LOCAL");
    locate(local, session.view).assert_near(locate(session.view, local).inverse(), "LOCAL in VIEW");
    locate(session.view, session.view).assert_near(Rigid::IDENTITY, "VIEW in VIEW");
    locate(local, session.base).assert_near(local_in_stage, "LOCAL in STAGE, by the runtime");
    session.end();
    app.end();
}

/// What the application sees in a run with a fixed step, on a device whose LOCAL is here.
fn steps(bed: &Bed, space: SpaceChoice, base: Type, local_in_stage: Rigid) -> Vec<SeenFrame> {
    runtime().local_in_stage = local_in_stage;
    runtime().next_nanos = FIRST_NANOS;
    let config = ReplayConfig { step_secs: Some(1.0 / 60.0), space, ..bed.replay_config(&demo()) };
    let app = bed.start(replay(&config));
    let session = app.try_session(Options { base, ..Options::default() }).expect("a session");
    let seen = (0..50).map(|_| session.frame()).collect();
    session.end();
    app.end();
    seen
}

#[test]
fn fixed_step_gives_equal_poses_in_every_space_on_every_device() {
    let bed = Bed::new();
    for space in [SpaceChoice::Stage, SpaceChoice::Local] {
        for base in [Type::STAGE, Type::LOCAL] {
            let places = [Rigid::new(20.0, [0.3, 1.5, -0.2]), Rigid::new(20.1, [0.305, 1.502, -0.2])];
            let [first, second] = places.map(|place| steps(&bed, space, base, place));
            assert_eq!(first, second, "{space:?} read in {base:?}");
            assert_ne!(first[0].head, first[49].head, "{space:?} read in {base:?}");
        }
    }
}

#[test]
fn local_is_where_the_recorded_head_starts_with_a_fixed_step() {
    let bed = Bed::new();
    let seen = steps(&bed, SpaceChoice::Stage, Type::LOCAL, Rigid::IDENTITY);
    let head = seen[0].head.expect("a head");
    assert!(head.position.length() < 1e-6, "{head:?}");
    let forward = head.rotation * glam::DVec3::NEG_Z;
    assert!(forward.x.abs() < 1e-6 && forward.z < 0.0, "{forward:?}");
}
