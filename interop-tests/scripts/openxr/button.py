#!/usr/bin/env python3
"""An OpenXR application with a button. It prints "frame N: pressed" and "frame N: released", and ends with its session.

    button.py --at X Y Z [--radius M] [--profile hand|simple] [--frames N]

The button is a sphere in LOCAL space. A hand presses it with the select action, while it points at the button or its index
finger touches the button. Actions are bound as applications do: to the hand interaction profile (pinch, aim and poke), and
to the simple controller (select click and aim). `--profile simple` is an application that does not know hands.

The session is headless: it has no frame loop, and takes times from XR_KHR_convert_timespec_time.
"""
import argparse, ctypes, math, time

import xr

RATE_HZ = 90
HANDS = ("left", "right")
HAND_PROFILE, SIMPLE_PROFILE = "/interaction_profiles/ext/hand_interaction_ext", "/interaction_profiles/khr/simple_controller"


class Timespec(ctypes.Structure):
    _fields_ = [("seconds", ctypes.c_long), ("nanoseconds", ctypes.c_long)]


def path(text):
    return xr.string_to_path(instance, text)


def action(name, kind):
    return xr.create_action(action_set, xr.ActionCreateInfo(
        action_name=name, action_type=kind, subaction_paths=list(hand_paths.values()), localized_action_name=name))


def suggest(profile, **inputs):
    """Binds actions to inputs of both hands."""
    bindings = [xr.ActionSuggestedBinding(actions[name], path(f"/user/hand/{hand}/input/{value}"))
                for name, value in inputs.items() for hand in HANDS]
    xr.suggest_interaction_profile_bindings(instance, xr.InteractionProfileSuggestedBinding(
        interaction_profile=path(profile), suggested_bindings=bindings))


def now():
    spec, result = Timespec(*divmod(time.clock_gettime_ns(time.CLOCK_MONOTONIC), 10**9)), ctypes.c_int64()
    if to_time(instance, ctypes.byref(spec), ctypes.byref(result)) < 0:
        raise RuntimeError("xrConvertTimespecTimeToTimeKHR failed")
    return result.value


def located(space, at):
    """The position and the forward direction of a space, or None if it has no pose."""
    location = xr.locate_space(space, base, at)
    if int(location.location_flags) & 3 != 3:
        return None
    p, q = location.pose.position, location.pose.orientation
    forward = (-2 * (q.x*q.z + q.w*q.y), -2 * (q.y*q.z - q.w*q.x), -1 + 2 * (q.x*q.x + q.y*q.y))
    return (p.x, p.y, p.z), forward


def is_hit(hand, at):
    """Whether the hand points at the button or touches it."""
    aim, poke = located(spaces["aim", hand], at), located(spaces["poke", hand], at)
    if poke and math.dist(poke[0], args.at) <= args.radius:
        return True
    if not aim:
        return False
    origin, forward = aim
    along = sum((b - o) * f for b, o, f in zip(args.at, origin, forward))
    nearest = [o + along * f for o, f in zip(origin, forward)]
    return along > 0 and math.dist(nearest, args.at) <= args.radius


def is_pressed():
    xr.sync_actions(session, xr.ActionsSyncInfo(active_action_sets=[xr.ActiveActionSet(action_set)]))
    at = now()
    hits = {hand: is_hit(hand, at) for hand in HANDS}
    states = {hand: xr.get_action_state_boolean(session, xr.ActionStateGetInfo(actions["select"], hand_paths[hand]))
              for hand in HANDS}
    return any(hits[hand] and states[hand].is_active and states[hand].current_state for hand in HANDS)


def next_states():
    """The states of the session that are due. Begins and ends the session as they demand."""
    while True:
        try:
            event = xr.poll_event(instance)
        except xr.EventUnavailable:
            return
        if event.type != xr.StructureType.EVENT_DATA_SESSION_STATE_CHANGED.value:
            continue
        pointer = ctypes.cast(ctypes.byref(event), ctypes.POINTER(xr.EventDataSessionStateChanged))
        state = xr.SessionState(pointer.contents.state)
        if state == xr.SessionState.READY:
            xr.begin_session(session, xr.SessionBeginInfo(xr.ViewConfigurationType.PRIMARY_STEREO))
        elif state == xr.SessionState.STOPPING:
            xr.end_session(session)
        yield state


def run():
    frame, was_pressed, state = 0, False, None
    while state not in (xr.SessionState.EXITING, xr.SessionState.LOSS_PENDING):
        for state in next_states():
            pass
        if state == xr.SessionState.FOCUSED and frame != args.frames:
            pressed = is_pressed()
            if pressed != was_pressed:
                print(f"frame {frame}: {'pressed' if pressed else 'released'}", flush=True)
            frame, was_pressed = frame + 1, pressed
            if frame == args.frames:
                xr.request_exit_session(session)
        time.sleep(1 / RATE_HZ)


parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
parser.add_argument("--at", type=float, nargs=3, required=True, metavar=("X", "Y", "Z"), help="the middle of the button")
parser.add_argument("--radius", type=float, default=0.1, metavar="M", help="its radius in metres (default 0.1)")
parser.add_argument("--profile", choices=["hand", "simple"], default="hand", help="what the application knows")
parser.add_argument("--frames", type=int, metavar="N", help="ask the runtime to end the session after N frames")
args = parser.parse_args()

extensions = ["XR_MND_headless", "XR_KHR_convert_timespec_time"]
if args.profile == "hand":
    extensions += ["XR_EXT_hand_interaction"]
instance = xr.create_instance(xr.InstanceCreateInfo(
    application_info=xr.ApplicationInfo("button", 1, "none", 1, xr.Version(1, 0, 0)), enabled_extension_names=extensions))
system = xr.get_system(instance, xr.SystemGetInfo(xr.FormFactor.HEAD_MOUNTED_DISPLAY))
address = ctypes.cast(xr.get_instance_proc_addr(instance, "xrConvertTimespecTimeToTimeKHR"), ctypes.c_void_p).value
to_time = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(address)

hand_paths = {hand: path(f"/user/hand/{hand}") for hand in HANDS}
action_set = xr.create_action_set(instance, xr.ActionSetCreateInfo("button", "button", 0))
actions = dict(select=action("select", xr.ActionType.BOOLEAN_INPUT), aim=action("aim", xr.ActionType.POSE_INPUT),
               poke=action("poke", xr.ActionType.POSE_INPUT))
suggest(SIMPLE_PROFILE, select="select/click", aim="aim/pose")
if args.profile == "hand":
    suggest(HAND_PROFILE, select="pinch_ext/value", aim="aim/pose", poke="poke_ext/pose")

session = xr.create_session(instance, xr.SessionCreateInfo(system_id=system))
base = xr.create_reference_space(session, xr.ReferenceSpaceCreateInfo(xr.ReferenceSpaceType.LOCAL))
spaces = {(name, hand): xr.create_action_space(session, xr.ActionSpaceCreateInfo(actions[name], hand_paths[hand]))
          for name in ("aim", "poke") for hand in HANDS}
xr.attach_session_action_sets(session, xr.SessionActionSetsAttachInfo(action_sets=[action_set]))
run()
xr.destroy_session(session)
xr.destroy_instance(instance)
