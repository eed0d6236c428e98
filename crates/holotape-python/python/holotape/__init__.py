"""XR input recordings (head, hand and eye tracking data) as arrays, tables and plots.

>>> import holotape
>>> recording = holotape.demo(seconds=2)        # or holotape.open("take.bin")
>>> samples = recording.sample(rate=60)
>>> samples.right.joints.shape                  # times, joints, position and rotation
(121, 27, 7)
>>> frames = recording.to_pandas()
>>> figure = recording.plot()
"""

from importlib.metadata import version as _version

from holotape._corpus import Corpus, build_dataset
from holotape._curves import BEZIER_KEY, KEY, Curve, Curves
from holotape._errors import (
    HolotapeError,
    InvalidArgumentError,
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
from holotape._lerobot import build_lerobot
from holotape._loss import Loss, LossWarning
from holotape._many import RecordingReader, UnreadableFileWarning, read_many
from holotape._play import Event, Player, Recorder, RecorderStatus
from holotape._recording import Marker, Recording
from holotape._reports import (
    Diff,
    Difference,
    Finding,
    MaxDifference,
    OptimizeReport,
    PoseDiff,
    RepairEntry,
    RepairReport,
)
from holotape._samples import HandSamples, Samples
from holotape._sql import connect, sql
from holotape._table import Table

__version__: str = _version("holotape")

__all__ = [
    "BEZIER_KEY",
    "JOINTS",
    "KEY",
    "PARENTS",
    "Corpus",
    "Curve",
    "Curves",
    "Diff",
    "Difference",
    "Event",
    "Finding",
    "HandSamples",
    "HolotapeError",
    "InvalidArgumentError",
    "InvalidError",
    "Joint",
    "LimitExceededError",
    "Loss",
    "LossError",
    "LossWarning",
    "Marker",
    "MaxDifference",
    "NotARecordingError",
    "OptimizeReport",
    "Player",
    "PoseDiff",
    "Recorder",
    "RecorderStatus",
    "Recording",
    "RecordingIOError",
    "RecordingReader",
    "RepairEntry",
    "RepairReport",
    "Samples",
    "Table",
    "TruncatedError",
    "UnreadableFileWarning",
    "UnsupportedVersionError",
    "__version__",
    "build_dataset",
    "build_lerobot",
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
