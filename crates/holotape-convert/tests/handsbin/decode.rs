//! A second decoder, which knows nothing of the first.

use holotape_convert::handsbin::HandsbinVersion;

pub type Pose = [f32; 7];

#[derive(Debug, Default)]
pub struct File {
    pub version: i32,
    pub flags: i32,
    pub options: i32,
    pub name: String,
    pub duration: f32,
    pub layout_count: i32,
    pub layout: Vec<u8>,
    pub mesh: i32,
    pub fingers: Vec<f32>,
    pub frames: Vec<Frame>,
}

#[derive(Debug, Default)]
pub struct Frame {
    pub flags: i32,
    pub time: f32,
    pub head_state: i32,
    pub head: Option<Pose>,
    pub success: Vec<i32>,
    pub hands: [Hand; 2],
}

#[derive(Debug, Default)]
pub struct Hand {
    /// In version 1, from the flag.
    pub tracked: bool,
    pub has_snapshot: bool,
    /// The dynamic step: flags, root, joints.
    pub step: Option<(i32, Option<Pose>, Option<Vec<Pose>>)>,
    /// Handedness, flags, pinch value, pinch touched.
    pub gestures: Option<(i32, i32, Option<f32>, Option<bool>)>,
    pub aim_flags: Option<i32>,
}

impl Hand {
    pub fn joints(&self) -> Option<&[Pose]> {
        self.step.as_ref().and_then(|(.., joints)| joints.as_deref())
    }

    pub fn is_tracked(&self) -> bool {
        self.tracked && self.joints().is_some()
    }
}

struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (array, rest) = self.0.split_first_chunk().expect("complete");
        self.0 = rest;
        *array
    }

    fn int(&mut self) -> i32 {
        i32::from_le_bytes(self.take())
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes(self.take())
    }

    fn bool(&mut self) -> bool {
        self.take::<1>() == [1]
    }

    fn pose(&mut self) -> Pose {
        std::array::from_fn(|_| self.float())
    }

    fn joints(&mut self) -> Vec<Pose> {
        (0..26).map(|_| self.pose()).collect()
    }

    fn string(&mut self) -> String {
        let (mut length, mut shift) = (0_usize, 0);
        loop {
            let [byte] = self.take();
            length |= usize::from(byte & 0x7f) << shift;
            shift += 7;
            if byte < 0x80 {
                break;
            }
        }
        let (name, rest) = self.0.split_at(length);
        self.0 = rest;
        String::from_utf8(name.to_vec()).expect("UTF-8")
    }

    fn step(&mut self) -> (i32, Option<Pose>, Option<Vec<Pose>>) {
        let flags = self.int();
        let root = self.pose();
        let joints = (flags & 1 != 0).then(|| {
            assert_eq!(self.int(), 26);
            self.joints()
        });
        (flags, Some(root), joints)
    }

    fn gestures(&mut self) -> (i32, i32, Option<f32>, Option<bool>) {
        let (handedness, flags) = (self.int(), self.int());
        let mut value = None;
        for (bit, is_pose) in [(1, true), (2, false), (4, false), (8, true), (16, true), (32, false), (64, true)] {
            match (flags & bit != 0, is_pose) {
                (true, true) => _ = self.pose(),
                (true, false) => {
                    let float = self.float();
                    value = if bit == 32 { Some(float) } else { value };
                }
                (false, _) => {}
            }
        }
        let bools = [128, 256, 512].map(|bit| (flags & bit != 0).then(|| self.bool()));
        (handedness, flags, value, bools[2])
    }

    fn aim(&mut self) -> i32 {
        let [_, flags, ..] = [(); 5].map(|()| self.int());
        let _: [f32; 4] = std::array::from_fn(|_| self.float());
        if flags & 32 != 0 {
            self.pose();
        }
        flags
    }

    fn frame_v1(&mut self) -> Frame {
        let time = self.float();
        let [left, right, left_valid, right_valid] = [(); 4].map(|()| self.bool());
        let mut hand = |tracked, is_valid: bool| Hand {
            tracked,
            step: is_valid.then(|| (3, None, Some(self.joints()))),
            ..Hand::default()
        };
        Frame { time, hands: [hand(left, left_valid), hand(right, right_valid)], ..Frame::default() }
    }

    fn frame_v2(&mut self, options: i32) -> Frame {
        let (flags, time, head_state) = (self.int(), self.float(), self.int());
        let head = (head_state != 0).then(|| self.pose());
        let success = (0..=options & 1).map(|_| self.int()).collect();
        let hands = [0, 1].map(|side| {
            let has = |bit: i32| flags & (bit << side) != 0;
            let mut hand = Hand { has_snapshot: has(1), ..Hand::default() };
            if has(1) {
                let steps = self.int();
                hand.step = (steps & 1 != 0).then(|| self.step());
                if options & 1 != 0 && steps & 2 != 0 {
                    self.step();
                }
            }
            hand.tracked = hand.step.as_ref().is_some_and(|(flags, ..)| flags & 2 != 0);
            hand.gestures = has(4).then(|| self.gestures());
            hand.aim_flags = has(16).then(|| self.aim());
            hand
        });
        Frame { flags, time, head_state, head, success, hands }
    }
}

/// Decodes a valid file.
pub fn decode(bytes: &[u8]) -> File {
    let mut bytes = Bytes(bytes);
    let version = bytes.int();
    let mut file = File { version, ..File::default() };
    if version == HandsbinVersion::V2.number() {
        (file.flags, file.options) = (bytes.int(), bytes.int());
    }
    file.name = bytes.string();
    file.duration = bytes.float();
    if version == HandsbinVersion::V2.number() {
        file.layout_count = bytes.int();
        file.layout = bytes.take::<4>().to_vec();
        file.mesh = bytes.int();
        file.fingers = (0..80).map(|_| bytes.float()).collect();
    }
    let frame_count = bytes.int();
    file.frames =
        (0..frame_count).map(|_| if version == 1 { bytes.frame_v1() } else { bytes.frame_v2(file.options) }).collect();
    assert!(bytes.0.is_empty(), "{} bytes left", bytes.0.len());
    file
}

/// The true times of a file of Unity: version 2 stamps each frame with the time of the one before.
pub fn true_times(file: &File) -> Vec<f32> {
    let stamps = file.frames.iter().map(|frame| frame.time);
    match file.version {
        1 => stamps.collect(),
        _ => stamps.skip(1).chain(file.frames.last().map(|_| file.duration)).collect(),
    }
}
