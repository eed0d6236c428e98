"""Recordings of what people do with their heads, hands and eyes in XR: MRTK input animations as arrays.

>>> import holotape
>>> take = holotape.demo(seconds=2)             # or holotape.open("take.bin")
>>> samples = take.sample(rate=60)
>>> samples.right.joints.shape                  # times, joints, position and rotation
(121, 27, 7)
>>> frames = take.to_pandas()
>>> figure = take.plot()
"""

from holotape._corpus import Corpus, build_dataset
from holotape._curves import BEZIER_KEY, KEY, Curve, Curves
from holotape._errors import (
    HolotapeError,
    InvalidError,
    LimitExceededError,
    LossError,
    NotARecordingError,
    RecordingIOError,
    TruncatedError,
    UnsupportedVersionError,
)
from holotape._functions import (
    check,
    concat,
    convert,
    demo,
    diff,
    from_frames,
    from_table,
    merge,
    open,
    recover,
    repair,
)
from holotape._joints import JOINTS, PARENTS, Joint
from holotape._loss import Loss, LossWarning
from holotape._many import BadFileWarning, ReadMany, read_many
from holotape._play import Event, Player, Recorder, RecorderStatus
from holotape._recording import Marker, Recording
from holotape._reports import (
    Diff,
    Difference,
    Finding,
    OptimizeReport,
    PoseDiff,
    RepairEntry,
    RepairReport,
    Worst,
)
from holotape._samples import HandSamples, Samples
from holotape._sql import connect, sql
from holotape._table import Table

__all__ = [
    "BEZIER_KEY",
    "JOINTS",
    "KEY",
    "PARENTS",
    "BadFileWarning",
    "Corpus",
    "Curve",
    "Curves",
    "Diff",
    "Difference",
    "Event",
    "Finding",
    "HandSamples",
    "HolotapeError",
    "InvalidError",
    "Joint",
    "LimitExceededError",
    "Loss",
    "LossError",
    "LossWarning",
    "Marker",
    "NotARecordingError",
    "OptimizeReport",
    "Player",
    "PoseDiff",
    "ReadMany",
    "Recorder",
    "RecorderStatus",
    "Recording",
    "RecordingIOError",
    "RepairEntry",
    "RepairReport",
    "Samples",
    "Table",
    "TruncatedError",
    "UnsupportedVersionError",
    "Worst",
    "build_dataset",
    "check",
    "concat",
    "connect",
    "convert",
    "demo",
    "diff",
    "from_frames",
    "from_table",
    "merge",
    "open",
    "read_many",
    "recover",
    "repair",
    "sql",
]
