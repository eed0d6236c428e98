"""Prints the positions of objects of a glTF file in Blender.

Arguments: the file, object names, and times in seconds (both comma-separated).
Prints one list per object with x, y, z at each time, in glTF coordinates.
"""

import json
import sys

import bpy


def position(scene, name, time):
    frame = time * scene.render.fps
    scene.frame_set(int(frame), subframe=frame % 1)
    x, y, z = scene.objects[name].evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world.translation
    # Blender has z up.
    return [x, z, -y]


path, names, times = sys.argv[sys.argv.index("--") + 1 :]
bpy.ops.wm.read_factory_settings(use_empty=True)
# Other shading modes use a name that Debian's numpy no longer has.
bpy.ops.import_scene.gltf(filepath=path, import_shading="SMOOTH")
scene = bpy.context.scene
print(json.dumps([[position(scene, name, float(time)) for time in times.split(",")] for name in names.split(",")]))
