#!/usr/bin/env python3
"""A headless OpenXR application. It prints one JSON line about the system, one per frame, and one at the end.

    client.py [--frames N] [--rate HZ] [--space local|stage] [--sessions N] [--kill]

First:    {"system", "extensions", "hand_tracking", "eye_gaze"}: the enabled extensions, and what the system supports
Frames:   {"frame", "time", "clock", "head", "views", "left", "right", "gaze"}
  time    XrTime in nanoseconds, equal for everything in the line; clock: the same time of CLOCK_MONOTONIC
  head    [flags, px, py, pz, qx, qy, qz, qw] of the VIEW space in the chosen space; gaze: the same, or null
  views   [flags, px, py, pz, qx, qy, qz, qw] of each eye
  left    {"active", "joints": 26 x [flags, px, py, pz, qx, qy, qz, qw, radius] or null without a hand tracker,
           "select": bool or null, "pinch": number or null}
Last:     {"states": [...]}: the session states in order
Flags are XrSpaceLocationFlags: 1 orientation valid, 2 position valid, 4 orientation tracked, 8 position tracked.

A headless session has no frame loop. The client sleeps between frames and takes times from
XR_KHR_convert_timespec_time.
"""
import argparse, ctypes, json, os, signal, time

import xr

parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--frames", type=int, default=60, help="frames per session (default 60)")
parser.add_argument("--rate", type=float, default=60, help="frames per second (default 60)")
parser.add_argument("--space", choices=["local", "stage"], default="local", help="the space of all poses")
parser.add_argument("--sessions", type=int, default=1, help="sessions, one after another (default 1)")
parser.add_argument("--kill", action="store_true", help="kill this process right after the last frame")
args = parser.parse_args()

HANDS = ("left", "right")
WANTED = ["XR_EXT_hand_tracking", "XR_EXT_eye_gaze_interaction", "XR_EXT_hand_interaction"]
REQUIRED = ["XR_MND_headless", "XR_KHR_convert_timespec_time"]


class Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


def text(value):
    return value.decode() if isinstance(value, bytes) else value


def show(**line):
    print(json.dumps(line, separators=(",", ":")), flush=True)


def function(name, *argument_types):
    """An OpenXR function by name, for calls that pyopenxr does not wrap well. Raises if the result is an error."""
    address = ctypes.cast(xr.get_instance_proc_addr(instance, name), ctypes.c_void_p).value
    raw = ctypes.CFUNCTYPE(ctypes.c_int32, *argument_types)(address)

    def call(*values):
        code = raw(*values)
        if code < 0:
            raise RuntimeError(f"{name}: {xr.Result(code).name}")
    return call


def supported():
    """Whether the system has hand tracking and eye gaze."""
    hands, eyes, chain = xr.SystemHandTrackingPropertiesEXT(), xr.SystemEyeGazeInteractionPropertiesEXT(), None
    for extension, struct in (("XR_EXT_hand_tracking", hands), ("XR_EXT_eye_gaze_interaction", eyes)):
        if extension in enabled:
            struct._next = chain
            chain = ctypes.cast(ctypes.pointer(struct), ctypes.c_void_p)
    properties = xr.SystemProperties(next=chain)
    get = function("xrGetSystemProperties", ctypes.c_void_p, ctypes.c_uint64, ctypes.c_void_p)
    get(instance, system, ctypes.byref(properties))
    return text(properties.system_name), bool(hands.supports_hand_tracking), bool(eyes.supports_eye_gaze_interaction)


def action(name, kind, subpaths=()):
    return xr.create_action(action_set, xr.ActionCreateInfo(
        action_name=name, action_type=kind, subaction_paths=list(subpaths), localized_action_name=name))


def suggest(profile, *bindings):
    xr.suggest_interaction_profile_bindings(instance, xr.InteractionProfileSuggestedBinding(
        interaction_profile=xr.string_to_path(instance, profile),
        suggested_bindings=[xr.ActionSuggestedBinding(a, xr.string_to_path(instance, p)) for a, p in bindings]))


def now():
    """CLOCK_MONOTONIC and the same time as XrTime."""
    clock = time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    spec, result = Timespec(*divmod(clock, 10**9)), ctypes.c_int64()
    to_time(instance, ctypes.byref(spec), ctypes.byref(result))
    return clock, result.value


def numbers(pose):
    p, q = pose.position, pose.orientation
    return [p.x, p.y, p.z, q.x, q.y, q.z, q.w]


class Session:
    def __init__(self):
        self.handle = xr.create_session(instance, xr.SessionCreateInfo(system_id=system))
        kind = xr.ReferenceSpaceType[args.space.upper()]
        self.base = xr.create_reference_space(self.handle, xr.ReferenceSpaceCreateInfo(kind))
        self.view = xr.create_reference_space(self.handle, xr.ReferenceSpaceCreateInfo(xr.ReferenceSpaceType.VIEW))
        self.gaze = xr.create_action_space(self.handle, xr.ActionSpaceCreateInfo(gaze)) if gaze else None
        xr.attach_session_action_sets(self.handle, xr.SessionActionSetsAttachInfo(action_sets=[action_set]))
        self.trackers = {}
        if has_hands:
            for index, hand in enumerate(HANDS):
                info = xr.HandTrackerCreateInfoEXT(hand=xr.HandEXT(index + 1), hand_joint_set=xr.HandJointSetEXT.DEFAULT)
                self.trackers[hand] = xr.create_hand_tracker_ext(self.handle, info)
        self.states = []

    def poll(self):
        """Handles all events that are due."""
        while True:
            try:
                event = xr.poll_event(instance)
            except xr.EventUnavailable:
                return
            if event.type == xr.StructureType.EVENT_DATA_SESSION_STATE_CHANGED.value:
                pointer = ctypes.cast(ctypes.byref(event), ctypes.POINTER(xr.EventDataSessionStateChanged))
                state = xr.SessionState(pointer.contents.state)
                self.states.append(state.name)
                if state == xr.SessionState.READY:
                    xr.begin_session(self.handle, xr.SessionBeginInfo(xr.ViewConfigurationType.PRIMARY_STEREO))
                elif state == xr.SessionState.STOPPING:
                    xr.end_session(self.handle)

    def locate(self, space, at):
        location = xr.locate_space(space, self.base, at)
        return [int(location.location_flags), *numbers(location.pose)]

    def views(self, at):
        info = xr.ViewLocateInfo(xr.ViewConfigurationType.PRIMARY_STEREO, at, self.base)
        state, views = xr.locate_views(self.handle, info)
        return [[int(state.view_state_flags), *numbers(view.pose)] for view in views]

    def hand(self, hand, at):
        state = dict(active=False, joints=None, select=None, pinch=None)
        if hand in self.trackers:
            joints, result = (xr.HandJointLocationEXT * 26)(), xr.HandJointLocationsEXT()
            result.joint_count, result._joint_locations = 26, joints
            info = xr.HandJointsLocateInfoEXT(base_space=self.base, time=at)
            locate_joints(self.trackers[hand], ctypes.byref(info), ctypes.byref(result))
            located = [[int(j.location_flags), *numbers(j.pose), j.radius] for j in joints]
            state.update(active=bool(result.is_active), joints=located)
        for name, of, get in (("select", select, xr.get_action_state_boolean), ("pinch", pinch, xr.get_action_state_float)):
            if of:
                got = get(self.handle, xr.ActionStateGetInfo(of, paths[hand]))
                if got.is_active:
                    state[name] = bool(got.current_state) if name == "select" else float(got.current_state)
        return state

    def show_frame(self, frame):
        xr.sync_actions(self.handle, xr.ActionsSyncInfo(active_action_sets=[xr.ActiveActionSet(action_set)]))
        clock, at = now()
        show(frame=frame, time=at, clock=clock, head=self.locate(self.view, at), views=self.views(at),
             left=self.hand("left", at), right=self.hand("right", at), gaze=self.locate(self.gaze, at) if self.gaze else None)

    def run(self):
        frame, is_leaving = 0, False
        while not self.states or self.states[-1] not in ("EXITING", "LOSS_PENDING"):
            self.poll()
            if not self.states or self.states[-1] != "FOCUSED" or is_leaving:
                time.sleep(0.002)
            elif frame == args.frames:
                if args.kill:
                    os.kill(os.getpid(), signal.SIGKILL)
                xr.request_exit_session(self.handle)
                is_leaving = True
            else:
                self.show_frame(frame)
                frame += 1
                if frame < args.frames:
                    time.sleep(1 / args.rate)
        for tracker in self.trackers.values():
            xr.destroy_hand_tracker_ext(tracker)
        xr.destroy_session(self.handle)


offered = {text(e.extension_name) for e in xr.enumerate_instance_extension_properties()}
enabled = REQUIRED + [extension for extension in WANTED if extension in offered]
instance = xr.create_instance(xr.InstanceCreateInfo(
    application_info=xr.ApplicationInfo("client", 1, "none", 1, xr.Version(1, 0, 0)), enabled_extension_names=enabled))
system = xr.get_system(instance, xr.SystemGetInfo(xr.FormFactor.HEAD_MOUNTED_DISPLAY))
name, has_hands, has_eyes = supported()
show(system=name, extensions=enabled, hand_tracking=has_hands, eye_gaze=has_eyes)

paths = {hand: xr.string_to_path(instance, f"/user/hand/{hand}") for hand in HANDS}
action_set = xr.create_action_set(instance, xr.ActionSetCreateInfo("client", "client", 0))
select = action("select", xr.ActionType.BOOLEAN_INPUT, paths.values())
suggest("/interaction_profiles/khr/simple_controller", *[(select, f"/user/hand/{h}/input/select/click") for h in HANDS])
pinch = gaze = None
if "XR_EXT_hand_interaction" in enabled:
    pinch = action("pinch", xr.ActionType.FLOAT_INPUT, paths.values())
    suggest("/interaction_profiles/ext/hand_interaction_ext", *[(pinch, f"/user/hand/{h}/input/pinch_ext/value") for h in HANDS])
if has_eyes:
    gaze = action("gaze", xr.ActionType.POSE_INPUT)
    suggest("/interaction_profiles/ext/eye_gaze_interaction", (gaze, "/user/eyes_ext/input/gaze_ext/pose"))
if has_hands:
    locate_joints = function("xrLocateHandJointsEXT", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
to_time = function("xrConvertTimespecTimeToTimeKHR", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

sessions = []
for _ in range(args.sessions):
    session = Session()
    session.run()
    sessions.append(session.states)
xr.destroy_instance(instance)
show(states=sessions)
