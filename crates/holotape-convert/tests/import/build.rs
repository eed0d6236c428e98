//! Builds files of other programs from their documented layouts.

/// Axes and position of a pose in right-handed device coordinates, as the columns of a matrix.
#[derive(Clone, Copy)]
pub struct Frame {
    pub x: [f64; 3],
    pub y: [f64; 3],
    pub z: [f64; 3],
    pub position: [f64; 3],
}

impl Frame {
    pub const STILL: Self = Self { x: [1.0, 0.0, 0.0], y: [0.0, 1.0, 0.0], z: [0.0, 0.0, 1.0], position: [0.0; 3] };

    /// In device coordinates (x right, y up, z back): rotated left by 90°.
    pub const LEFT: Self = Self { x: [0.0, 0.0, -1.0], y: [0.0, 1.0, 0.0], z: [1.0, 0.0, 0.0], position: [0.0; 3] };

    pub fn at(self, position: [f64; 3]) -> Self {
        Self { position, ..self }
    }

    pub fn rows(&self) -> [f64; 16] {
        let Self { x, y, z, position: p } = self;
        let row = |n: usize| [x[n], y[n], z[n], p[n]];
        let rows = [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]];
        std::array::from_fn(|n| rows[n / 4][n % 4])
    }
}

pub mod hl2ss {
    pub const HEAD: u32 = 1;
    pub const EYE: u32 = 2;
    pub const LEFT: u32 = 4;
    pub const RIGHT: u32 = 8;

    #[derive(Clone, Copy)]
    pub struct Joint {
        pub rotation: [f32; 4],
        pub position: [f32; 3],
        pub radius: f32,
        pub accuracy: i32,
    }

    #[derive(Clone)]
    pub struct Packet {
        pub ticks: u64,
        pub valid: u32,
        pub head: [f32; 9],
        pub eye: [f32; 6],
        pub hands: [[Joint; 26]; 2],
    }

    impl Packet {
        /// A head at 1.6 m that looks ahead, a gaze ahead, and hands with joints 1 cm apart along x.
        pub fn new(ticks: u64, valid: u32) -> Self {
            let joint = |hand: f32, n: usize| Joint {
                rotation: [0.0, 0.0, 0.0, 1.0],
                position: [hand + 0.01 * n as f32, 1.0, -0.5],
                radius: 0.01,
                accuracy: 0,
            };
            Self {
                ticks,
                valid,
                head: [0.0, 1.6, 0.0, 0.0, 0.0, -1.0, 0.0, 1.0, 0.0],
                eye: [0.0, 1.6, 0.0, 0.0, 0.0, -1.0],
                hands: [-0.5, 0.5].map(|hand| std::array::from_fn(|n| joint(hand, n))),
            }
        }

        fn body(&self) -> Vec<u8> {
            let mut bytes: Vec<u8> = self.head.iter().chain(&self.eye).flat_map(|value| value.to_le_bytes()).collect();
            for joint in self.hands.iter().flatten() {
                let floats = joint.rotation.iter().chain(&joint.position).chain([&joint.radius]);
                bytes.extend(floats.flat_map(|value| value.to_le_bytes()));
                bytes.extend(joint.accuracy.to_le_bytes());
            }
            bytes
        }

        pub fn bytes(&self) -> Vec<u8> {
            packet(self.ticks, &[&self.valid.to_le_bytes()[..], &self.body()].concat())
        }

        /// The older layout with one byte of valid bits.
        pub fn old_bytes(&self) -> Vec<u8> {
            packet(self.ticks, &[&[self.valid as u8][..], &self.body()].concat())
        }
    }

    pub fn packet(ticks: u64, payload: &[u8]) -> Vec<u8> {
        [&ticks.to_le_bytes()[..], &(payload.len() as u32).to_le_bytes(), payload].concat()
    }

    pub fn header(magic: &[u8; 8], port: u16, user: &[u8]) -> Vec<u8> {
        [&magic[..], &port.to_le_bytes(), &(user.len() as u32).to_le_bytes(), user].concat()
    }

    pub fn file(packets: &[Packet]) -> Vec<u8> {
        let packets = packets.iter().flat_map(Packet::bytes);
        header(b"HL2SSV23", 3812, b"").into_iter().chain(packets).collect()
    }

    /// A packet of the extended eye tracker: the combined ray, and a pose for row vectors.
    pub fn eye_packet(ticks: u64, valid: u32, ray: [f32; 6], pose: [f32; 16]) -> Vec<u8> {
        let mut payload = vec![0; 4];
        payload.extend(ray.iter().chain(&[0.0; 15]).flat_map(|value| value.to_le_bytes()));
        payload.extend(valid.to_le_bytes());
        let mut bytes = packet(ticks, &payload);
        bytes.extend(pose.iter().flat_map(|value| value.to_le_bytes()));
        bytes
    }
}

pub mod stream_recorder {
    use super::Frame;

    /// 2022-11-11 in 100 ns since 1601.
    pub const START: u64 = 133_126_502_320_000_000;

    #[derive(Clone)]
    pub struct Row {
        pub ticks: u64,
        pub head: Frame,
        pub hands: [Option<[Frame; 26]>; 2],
        pub gaze: Option<([f64; 3], [f64; 3])>,
        pub distance: f64,
    }

    impl Row {
        pub fn new(ticks: u64) -> Self {
            Self { ticks, head: Frame::STILL.at([0.0, 1.6, 0.0]), hands: [None; 2], gaze: None, distance: 0.0 }
        }

        pub fn cells(&self) -> Vec<String> {
            let mut cells = vec![self.ticks.to_string()];
            let mut add = |numbers: &[f64]| cells.extend(numbers.iter().map(ToString::to_string));
            add(&self.head.rows());
            for hand in &self.hands {
                add(&[f64::from(u8::from(hand.is_some()))]);
                match hand {
                    Some(joints) => joints.iter().for_each(|joint| add(&joint.rows())),
                    None => add(&[0.0; 26 * 16]),
                }
            }
            add(&[f64::from(u8::from(self.gaze.is_some()))]);
            match self.gaze {
                Some(([x, y, z], [dx, dy, dz])) => add(&[x, y, z, 1.0, dx, dy, dz, 0.0]),
                None => add(&[0.0; 8]),
            }
            add(&[self.distance]);
            assert_eq!(cells.len(), 861);
            cells
        }
    }

    pub fn file(rows: &[Row]) -> String {
        rows.iter().map(|row| row.cells().join(",") + "\n").collect()
    }

    /// Joints 1 cm apart along x.
    pub fn hand(at: [f64; 3]) -> [Frame; 26] {
        std::array::from_fn(|n| Frame::STILL.at([at[0] + 0.01 * n as f64, at[1], at[2]]))
    }
}

pub mod psi {
    use super::Frame;

    /// A day in 2022 in 100 ns since year 1.
    pub const START: u64 = 637_835_897_125_443_909;

    pub fn line(cells: &[String]) -> String {
        cells.join("\t") + "\n"
    }

    pub fn cells(numbers: &[f64]) -> Vec<String> {
        numbers.iter().map(|number| if number.is_nan() { "NaN".to_owned() } else { number.to_string() }).collect()
    }

    /// A row: one or two times, then values.
    pub fn row(times: &[String], numbers: &[f64]) -> String {
        line(&[times, &cells(numbers)].concat())
    }

    pub fn ticks(ticks: u64) -> Vec<String> {
        vec![ticks.to_string()]
    }

    /// The times of HoloAssist.
    pub fn secs_and_ticks(secs: f64, ticks: u64) -> Vec<String> {
        vec![secs.to_string(), ticks.to_string()]
    }

    pub const NO_JOINT: [f64; 16] = [f64::NAN; 16];

    /// Joints 1 cm apart along x, which is forward here.
    pub fn joints(at: [f64; 3]) -> [[f64; 16]; 26] {
        std::array::from_fn(|n| Frame::STILL.at([at[0] + 0.01 * n as f64, at[1], at[2]]).rows())
    }

    /// Flags, joints, and the valid and tracked flags of each.
    pub fn hand(flags: &[f64], joints: &[[f64; 16]; 26], valid: [f64; 26], tracked: [f64; 26]) -> Vec<f64> {
        [flags, joints.as_flattened(), &valid, &tracked].concat()
    }

    pub fn no_hand(flags: &[f64]) -> Vec<f64> {
        hand(flags, &[NO_JOINT; 26], [0.0; 26], [0.0; 26])
    }
}
