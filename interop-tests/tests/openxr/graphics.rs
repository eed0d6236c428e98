//! An application with graphics, hello_xr, with Khronos' validation layer above and below.

use holotape::Recording;
use holotape::demo::DemoOptions;

use crate::bed::{Bed, Device, Layer};
use crate::near::Near;
use crate::record::frames;

#[test]
fn graphics_application_records_a_replay_with_valid_calls() {
    let bed = Bed::new();
    let demo = DemoOptions::new().with_seconds(60.0).generate().expect("a demo");
    bed.save_input(&demo);
    let (record, replay) = (bed.record_config(), bed.replay_config());
    // The loader allows a layer once, so the validation layer is above in one run and below in the other.
    let ours = || [Layer::Record(Some(&record)), Layer::Replay(Some(&replay))];
    let [record_layer, replay_layer] = ours();
    let above = [Layer::Validation, record_layer, replay_layer];
    let [record_layer, replay_layer] = ours();
    let below = [record_layer, replay_layer, Layer::Validation];
    for (layers, name) in [(above, "out.bin"), (below, "out-2.bin")] {
        // hello_xr ends when its input ends.
        let output = bed.run(Device::Simulated, &layers, &["sh", "-c", "sleep 4 | hello_xr -g Vulkan2 -s Local"]);
        let text = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert!(output.status.success(), "{text}");
        let invalid: Vec<_> =
            text.lines().filter(|line| line.contains("VUID") && !line.contains("VALID_DEBUG")).collect();
        assert!(invalid.is_empty(), "{name}: {invalid:#?}");
        let take = Recording::open(bed.path(name)).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let (taken, mut sampler, mut poses) = (frames(&take), demo.sampler(), Near::new(2e-4, 0.05));
        for (n, taken) in taken.iter().enumerate() {
            poses.frames(&format!("{name}: frame {n}"), &sampler.frame_at(taken.time), taken);
        }
        poses.finish(name, 28);
    }
}
