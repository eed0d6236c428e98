//! A parser and evaluator of BVH files.

use std::collections::HashMap;
use std::str::SplitAsciiWhitespace;

use glam::{DQuat, DVec3};

/// A parsed file.
pub struct Bvh {
    pub joints: Vec<BvhJoint>,
    pub frames: Vec<Vec<f64>>,
    pub frame_time: f64,
}

impl Bvh {
    pub fn parse(text: &str) -> Self {
        let mut words = text.split_ascii_whitespace();
        assert_eq!(words.next(), Some("HIERARCHY"));
        let mut joints = Vec::new();
        assert_eq!(words.next(), Some("ROOT"));
        parse_joint(&mut words, None, &mut joints);
        assert_eq!(words.by_ref().take(2).collect::<Vec<_>>(), ["MOTION", "Frames:"]);
        let count: usize = words.next().unwrap().parse().unwrap();
        assert_eq!(words.by_ref().take(2).collect::<Vec<_>>(), ["Frame", "Time:"]);
        let frame_time = number(&mut words);
        let width: usize = joints.iter().map(|joint: &BvhJoint| joint.channels.len()).sum();
        let numbers: Vec<f64> = words.map(|word| word.parse().unwrap()).collect();
        assert_eq!(numbers.len(), count * width);
        Self { joints, frames: numbers.chunks(width).map(<[_]>::to_vec).collect(), frame_time }
    }

    /// The world pose of every joint in a frame, by name. Positions replace the offset or are added to it.
    pub fn world(&self, frame: usize, are_positions_added: bool) -> HashMap<&str, (DVec3, DQuat)> {
        let mut numbers = self.frames[frame].iter();
        let mut world: Vec<(DVec3, DQuat)> = Vec::new();
        for joint in &self.joints {
            let mut position = DVec3::ZERO;
            let mut rotation = DQuat::IDENTITY;
            for channel in &joint.channels {
                let value = *numbers.next().unwrap();
                match channel.as_str() {
                    "Xposition" => position.x = value,
                    "Yposition" => position.y = value,
                    "Zposition" => position.z = value,
                    "Xrotation" => rotation *= DQuat::from_rotation_x(value.to_radians()),
                    "Yrotation" => rotation *= DQuat::from_rotation_y(value.to_radians()),
                    "Zrotation" => rotation *= DQuat::from_rotation_z(value.to_radians()),
                    other => panic!("{other}"),
                }
            }
            let has_position = joint.channels.len() == 6;
            let local = if has_position && !are_positions_added { position } else { joint.offset + position };
            let (base, turn) = joint.parent.map_or((DVec3::ZERO, DQuat::IDENTITY), |parent| world[parent]);
            world.push((base + turn * local, turn * rotation));
        }
        self.joints.iter().map(|joint| joint.name.as_str()).zip(world).collect()
    }
}

pub struct BvhJoint {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: DVec3,
    pub channels: Vec<String>,
}

fn parse_joint(words: &mut SplitAsciiWhitespace<'_>, parent: Option<usize>, joints: &mut Vec<BvhJoint>) {
    let name = words.next().unwrap().to_owned();
    assert_eq!(words.by_ref().take(2).collect::<Vec<_>>(), ["{", "OFFSET"]);
    let offset = vector(words);
    assert_eq!(words.next(), Some("CHANNELS"));
    let count = words.next().unwrap().parse().unwrap();
    let channels = words.by_ref().take(count).map(str::to_owned).collect();
    let index = joints.len();
    joints.push(BvhJoint { name, parent, offset, channels });
    let mut has_end = false;
    loop {
        match words.next().unwrap() {
            "JOINT" => parse_joint(words, Some(index), joints),
            "End" => {
                assert_eq!(words.by_ref().take(3).collect::<Vec<_>>(), ["Site", "{", "OFFSET"]);
                assert!(vector(words).length() > 0.005, "Blender ignores shorter bones");
                assert_eq!(words.next(), Some("}"));
                has_end = true;
            }
            "}" => break,
            other => panic!("{other}"),
        }
    }
    assert_eq!(has_end, index + 1 == joints.len(), "leaf joints have an end site");
}

fn vector(words: &mut SplitAsciiWhitespace<'_>) -> DVec3 {
    DVec3::new(number(words), number(words), number(words))
}

fn number(words: &mut SplitAsciiWhitespace<'_>) -> f64 {
    words.next().unwrap().parse().unwrap()
}
