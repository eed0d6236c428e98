//! Composition layers of a replay: the compositor shows what the recorded eyes see, wherever the real head is.

use openxr_sys as xr;
use xr::ReferenceSpaceType as Type;

use crate::fake::{Bed, Rigid, Session, Submitted, empty, head_in_stage, runtime};
use crate::replay::{demo, replay};

/// Where a layer of the runtime is, as its own head sees it.
fn in_view(submitted: Submitted, nanos: i64) -> Rigid {
    let mut runtime = runtime();
    let stage = runtime.locate_in_stage(submitted.space, nanos);
    head_in_stage(nanos).inverse().then(stage).then(Rigid::from_openxr(submitted.pose))
}

/// Where a pose in a space is, as the recorded head sees it.
fn as_recorded(session: &Session<'_>, space: xr::Space, pose: Rigid, nanos: i64) -> Rigid {
    let space = session.locate(space, session.view, nanos).expect("an answer").expect("a pose");
    space.then(pose)
}

#[test]
fn views_are_submitted_relative_to_the_real_head() {
    let bed = Bed::new();
    let config = bed.replay_config(&demo());
    let app = bed.start(replay(&config));
    let session = app.session();
    for n in 0..50 {
        let seen = session.frame();
        let [submitted] = runtime().submitted[..] else { panic!("one layer") };
        assert_eq!((submitted.ty, submitted.view_count), (xr::CompositionLayerProjection::TYPE, 2));
        // The left eye of the device, in whose image the compositor shows the view.
        in_view(submitted, seen.nanos).assert_near(Rigid::new(0.0, [-0.032, 0.0, 0.0]), &format!("frame {n}"));
    }
    session.end();
    app.end();
}

#[test]
fn layers_in_every_space_are_where_the_recorded_head_sees_them() {
    let bed = Bed::new();
    let config = bed.replay_config(&demo());
    let app = bed.start(replay(&config));
    let session = app.session();
    let local = session.reference_space(Type::LOCAL, Rigid::new(15.0, [0.1, 0.0, 0.0]));
    let pose = Rigid::new(40.0, [0.5, 1.2, -2.0]);
    let quad = |space| {
        let mut layer: xr::CompositionLayerQuad = empty(xr::CompositionLayerQuad::TYPE);
        (layer.space, layer.pose) = (space, pose.to_openxr());
        layer
    };
    let mut cube: xr::CompositionLayerCubeKHR = empty(xr::CompositionLayerCubeKHR::TYPE);
    (cube.space, cube.orientation) = (local, pose.to_openxr().orientation);
    let quads = [session.base, local, session.view].map(quad);
    session.frame();
    let nanos = session.begin();
    let mut layers: Vec<_> = quads.iter().map(|quad| std::ptr::from_ref(quad).cast()).collect();
    layers.push((&raw const cube).cast());
    session.end_frame(nanos, &layers);
    let submitted = runtime().submitted.clone();
    for (submitted, space) in submitted.iter().zip([session.base, local]) {
        in_view(*submitted, nanos).assert_near(as_recorded(&session, space, pose, nanos), "a quad");
    }
    assert_eq!(submitted[2].space, session.view, "a layer that moves with the head is left alone");
    in_view(submitted[2], nanos).assert_near(pose, "a quad in VIEW");
    let turned = Rigid { position: glam::DVec3::ZERO, ..as_recorded(&session, local, pose, nanos) };
    let cube = Rigid { position: glam::DVec3::ZERO, ..in_view(submitted[3], nanos) };
    cube.assert_near(turned, "a cube");
    session.end();
    app.end();
}

#[test]
fn more_layers_than_any_runtime_must_support_are_passed_on() {
    let bed = Bed::new();
    let config = bed.replay_config(&demo());
    let app = bed.start(replay(&config));
    let session = app.session();
    let mut layer: xr::CompositionLayerQuad = empty(xr::CompositionLayerQuad::TYPE);
    (layer.space, layer.pose) = (session.base, Rigid::IDENTITY.to_openxr());
    let nanos = session.begin();
    session.end_frame(nanos, &[(&raw const layer).cast(); 40]);
    assert_eq!(runtime().submitted.len(), 40);
    assert!(runtime().submitted.iter().all(|layer| layer.space == session.base));
    session.end();
    app.end();
}

#[test]
fn layers_of_a_device_that_is_not_replayed_are_passed_on() {
    let bed = Bed::new();
    let config = holotape_openxr::ReplayConfig { recording: bed.path("missing.bin"), ..bed.replay_config(&demo()) };
    let app = bed.start(replay(&config));
    let session = app.session();
    session.frame();
    assert_eq!(runtime().submitted[0].space, session.base);
    session.end();
    app.end();
}
