// Generated from the Rust types by `cargo xtask generate`. Do not edit.

export const SCHEMAS = {
  "ApiError": {
    "properties": {
      "message": {
        "type": "string"
      }
    },
    "required": [
      "message"
    ],
    "type": "object"
  },
  "ChannelFlags": {
    "properties": {
      "camera": {
        "type": "boolean"
      },
      "gaze": {
        "type": "boolean"
      },
      "hands": {
        "type": "boolean"
      }
    },
    "required": [
      "camera",
      "hands",
      "gaze"
    ],
    "type": "object"
  },
  "CurveKind": {
    "enum": [
      "linear",
      "bezier",
      "bool"
    ],
    "type": "string"
  },
  "CurvePackHeader": {
    "properties": {
      "channels": {
        "$ref": "#/$defs/ChannelFlags"
      },
      "curves": {
        "items": {
          "$ref": "#/$defs/PackedCurveHeader"
        },
        "type": "array"
      },
      "duration_secs": {
        "type": "number"
      },
      "time_counts": {
        "items": {
          "minimum": 0,
          "type": "integer"
        },
        "type": "array"
      }
    },
    "required": [
      "channels",
      "duration_secs",
      "time_counts",
      "curves"
    ],
    "type": "object"
  },
  "ErrorCode": {
    "oneOf": [
      {
        "const": "unknown-take",
        "type": "string"
      },
      {
        "const": "missing-records",
        "type": "string"
      },
      {
        "const": "busy",
        "type": "string"
      },
      {
        "const": "invalid-message",
        "type": "string"
      },
      {
        "const": "save-failed",
        "type": "string"
      }
    ]
  },
  "FailureInfo": {
    "properties": {
      "message": {
        "type": "string"
      },
      "name": {
        "type": "string"
      }
    },
    "required": [
      "name",
      "message"
    ],
    "type": "object"
  },
  "FindingInfo": {
    "properties": {
      "advice": {
        "type": "string"
      },
      "code": {
        "type": "string"
      },
      "message": {
        "type": "string"
      },
      "repairable": {
        "type": "boolean"
      },
      "severity": {
        "enum": [
          "error",
          "warning",
          "note"
        ],
        "type": "string"
      },
      "span_secs": {
        "items": {
          "type": "number"
        },
        "maxItems": 2,
        "minItems": 2,
        "type": [
          "array",
          "null"
        ]
      },
      "subject": {
        "type": [
          "string",
          "null"
        ]
      }
    },
    "required": [
      "code",
      "severity",
      "message",
      "subject",
      "span_secs",
      "advice",
      "repairable"
    ],
    "type": "object"
  },
  "HandInfo": {
    "properties": {
      "pinch_count": {
        "minimum": 0,
        "type": "integer"
      },
      "pinching": {
        "items": {
          "items": {
            "type": "number"
          },
          "maxItems": 2,
          "minItems": 2,
          "type": "array"
        },
        "type": "array"
      },
      "tracked": {
        "items": {
          "items": {
            "type": "number"
          },
          "maxItems": 2,
          "minItems": 2,
          "type": "array"
        },
        "type": "array"
      },
      "tracked_secs": {
        "type": "number"
      },
      "tracking_loss_count": {
        "minimum": 0,
        "type": "integer"
      }
    },
    "required": [
      "tracked",
      "pinching",
      "tracked_secs",
      "tracking_loss_count",
      "pinch_count"
    ],
    "type": "object"
  },
  "LiveMessage": {
    "oneOf": [
      {
        "properties": {
          "takes": {
            "items": {
              "$ref": "#/$defs/LiveTakeInfo"
            },
            "type": "array"
          },
          "type": {
            "const": "live",
            "type": "string"
          }
        },
        "required": [
          "type",
          "takes"
        ],
        "type": "object"
      },
      {
        "properties": {
          "name": {
            "type": "string"
          },
          "recording_id": {
            "minimum": 0,
            "type": [
              "integer",
              "null"
            ]
          },
          "take_id": {
            "$ref": "#/$defs/TakeId"
          },
          "type": {
            "const": "saved",
            "type": "string"
          }
        },
        "required": [
          "type",
          "take_id",
          "name",
          "recording_id"
        ],
        "type": "object"
      }
    ]
  },
  "LiveTakeInfo": {
    "properties": {
      "duration_secs": {
        "type": "number"
      },
      "frame_count": {
        "minimum": 0,
        "type": "integer"
      },
      "is_connected": {
        "type": "boolean"
      },
      "name": {
        "type": "string"
      },
      "take_id": {
        "$ref": "#/$defs/TakeId"
      }
    },
    "required": [
      "take_id",
      "name",
      "frame_count",
      "duration_secs",
      "is_connected"
    ],
    "type": "object"
  },
  "MarkerInfo": {
    "properties": {
      "name": {
        "type": "string"
      },
      "time": {
        "type": "number"
      }
    },
    "required": [
      "time",
      "name"
    ],
    "type": "object"
  },
  "Origin": {
    "enum": [
      "file",
      "recorded",
      "upload",
      "preview",
      "demo"
    ],
    "type": "string"
  },
  "PackedCurveHeader": {
    "properties": {
      "kind": {
        "$ref": "#/$defs/CurveKind"
      },
      "name": {
        "type": "string"
      },
      "post_wrap": {
        "type": "integer"
      },
      "pre_wrap": {
        "type": "integer"
      },
      "times": {
        "minimum": 0,
        "type": "integer"
      }
    },
    "required": [
      "name",
      "kind",
      "pre_wrap",
      "post_wrap",
      "times"
    ],
    "type": "object"
  },
  "Preview": {
    "properties": {
      "recording": {
        "$ref": "#/$defs/RecordingInfo"
      },
      "report": {
        "items": {
          "type": "string"
        },
        "type": "array"
      }
    },
    "required": [
      "recording",
      "report"
    ],
    "type": "object"
  },
  "RecordingInfo": {
    "properties": {
      "can_redo": {
        "type": "boolean"
      },
      "can_undo": {
        "type": "boolean"
      },
      "channels": {
        "$ref": "#/$defs/ChannelFlags"
      },
      "curves_revision": {
        "minimum": 0,
        "type": "integer"
      },
      "duration_secs": {
        "type": "number"
      },
      "file_bytes": {
        "minimum": 0,
        "type": "integer"
      },
      "findings": {
        "items": {
          "$ref": "#/$defs/FindingInfo"
        },
        "type": "array"
      },
      "fixation_count": {
        "minimum": 0,
        "type": [
          "integer",
          "null"
        ]
      },
      "fixations": {
        "items": {
          "items": {
            "type": "number"
          },
          "maxItems": 2,
          "minItems": 2,
          "type": "array"
        },
        "type": "array"
      },
      "format": {
        "type": "string"
      },
      "has_overview": {
        "type": "boolean"
      },
      "id": {
        "minimum": 0,
        "type": "integer"
      },
      "key_count": {
        "minimum": 0,
        "type": "integer"
      },
      "left": {
        "$ref": "#/$defs/HandInfo"
      },
      "losses": {
        "items": {
          "type": "string"
        },
        "type": "array"
      },
      "markers": {
        "items": {
          "$ref": "#/$defs/MarkerInfo"
        },
        "type": "array"
      },
      "modified": {
        "type": "boolean"
      },
      "name": {
        "type": "string"
      },
      "origin": {
        "$ref": "#/$defs/Origin"
      },
      "preview_of": {
        "minimum": 0,
        "type": [
          "integer",
          "null"
        ]
      },
      "revision": {
        "minimum": 0,
        "type": "integer"
      },
      "right": {
        "$ref": "#/$defs/HandInfo"
      }
    },
    "required": [
      "id",
      "revision",
      "curves_revision",
      "name",
      "origin",
      "preview_of",
      "losses",
      "modified",
      "can_undo",
      "can_redo",
      "format",
      "file_bytes",
      "markers",
      "findings",
      "key_count",
      "has_overview",
      "duration_secs",
      "channels",
      "left",
      "right",
      "fixations",
      "fixation_count"
    ],
    "type": "object"
  },
  "SaveResult": {
    "properties": {
      "losses": {
        "items": {
          "type": "string"
        },
        "type": "array"
      },
      "path": {
        "type": "string"
      }
    },
    "required": [
      "path",
      "losses"
    ],
    "type": "object"
  },
  "SavedTake": {
    "properties": {
      "duration_secs": {
        "type": "number"
      },
      "frame_count": {
        "minimum": 0,
        "type": "integer"
      },
      "losses": {
        "items": {
          "type": "string"
        },
        "type": "array"
      },
      "marker_count": {
        "minimum": 0,
        "type": "integer"
      },
      "name": {
        "type": "string"
      },
      "recording_id": {
        "minimum": 0,
        "type": [
          "integer",
          "null"
        ]
      },
      "take_id": {
        "$ref": "#/$defs/TakeId"
      }
    },
    "required": [
      "take_id",
      "name",
      "frame_count",
      "marker_count",
      "duration_secs",
      "losses"
    ],
    "type": "object"
  },
  "ServerMessage": {
    "oneOf": [
      {
        "properties": {
          "name": {
            "type": "string"
          },
          "record_count": {
            "minimum": 0,
            "type": "integer"
          },
          "take_id": {
            "$ref": "#/$defs/TakeId"
          },
          "type": {
            "const": "ready",
            "type": "string"
          }
        },
        "required": [
          "type",
          "take_id",
          "name",
          "record_count"
        ],
        "type": "object"
      },
      {
        "properties": {
          "record_count": {
            "minimum": 0,
            "type": "integer"
          },
          "type": {
            "const": "ack",
            "type": "string"
          }
        },
        "required": [
          "type",
          "record_count"
        ],
        "type": "object"
      },
      {
        "properties": {
          "message": {
            "type": "string"
          },
          "type": {
            "const": "warning",
            "type": "string"
          }
        },
        "required": [
          "type",
          "message"
        ],
        "type": "object"
      },
      {
        "$ref": "#/$defs/SavedTake",
        "properties": {
          "type": {
            "const": "saved",
            "type": "string"
          }
        },
        "required": [
          "type"
        ],
        "type": "object"
      },
      {
        "properties": {
          "take_id": {
            "$ref": "#/$defs/TakeId"
          },
          "type": {
            "const": "discarded",
            "type": "string"
          }
        },
        "required": [
          "type",
          "take_id"
        ],
        "type": "object"
      },
      {
        "properties": {
          "code": {
            "$ref": "#/$defs/ErrorCode"
          },
          "message": {
            "type": "string"
          },
          "type": {
            "const": "error",
            "type": "string"
          }
        },
        "required": [
          "type",
          "code",
          "message"
        ],
        "type": "object"
      }
    ]
  },
  "TakeId": {
    "type": "string"
  },
  "ViewerState": {
    "properties": {
      "can_edit": {
        "type": "boolean"
      },
      "can_record": {
        "type": "boolean"
      },
      "failures": {
        "items": {
          "$ref": "#/$defs/FailureInfo"
        },
        "type": "array"
      },
      "record_dir": {
        "type": [
          "string",
          "null"
        ]
      },
      "recordings": {
        "items": {
          "$ref": "#/$defs/RecordingInfo"
        },
        "type": "array"
      },
      "upload_limit_bytes": {
        "minimum": 0,
        "type": "integer"
      },
      "version": {
        "type": "string"
      }
    },
    "required": [
      "version",
      "can_edit",
      "can_record",
      "record_dir",
      "upload_limit_bytes",
      "recordings",
      "failures"
    ],
    "type": "object"
  }
};
