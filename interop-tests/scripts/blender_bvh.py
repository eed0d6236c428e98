# Imports a BVH file with default settings and prints joint positions.
# Usage: blender --python blender_bvh.py -- FILE FRAMES NAMES (comma-separated)
import json
import sys

import bpy
from io_anim_bvh import import_bvh

# The importer opens files in mode 'rU', which Debian's Python no longer supports.
import_bvh.open = lambda path, _mode: open(path)

path, frames, names = sys.argv[sys.argv.index("--") + 1:]
bpy.ops.import_anim.bvh(filepath=path)
armature = bpy.context.object
scene = bpy.context.scene


def position(name):
    """The position in the file's coordinates: Blender has z up."""
    x, y, z = (armature.matrix_world @ armature.pose.bones[name].matrix).translation
    return [x, z, -y]


def positions(frame):
    # The first frame of a file becomes frame 1.
    scene.frame_set(1 + frame)
    return {name: position(name) for name in names.split(",")}


found = [positions(int(frame)) for frame in frames.split(",")]
bones = {bone.name: bone.length for bone in armature.data.bones}
bpy.ops.import_anim.bvh(filepath=path, update_scene_fps=True, update_scene_duration=True)
fps = scene.render.fps / scene.render.fps_base
print(json.dumps({"frames": found, "bones": bones, "fps": fps, "end": scene.frame_end}))
