/** The tolerances of an optimization. */

import { useState } from "preact/hooks";
import { type AppProperties, Form, NumberInput } from "../components";
import type { OpenRecording } from "../state";
import { TaskButton } from "./panel";
import { previewTask } from "./preview";

export function OptimizeForm({ app, recording }: AppProperties & { readonly recording: OpenRecording }) {
  // The defaults of `holotape optimize`.
  const [positionMm, setPositionMm] = useState(1);
  const [rotationDeg, setRotationDeg] = useState(0.2);
  const request = { op: "optimize", position_m: positionMm / 1000, rotation_deg: rotationDeg } as const;
  const optimize = () => app.preview(recording, request);
  return (
    <Form class="optimize-form" onSubmit={() => void app.runExclusive(previewTask(recording), optimize)}>
      <span class="field">
        Position
        <NumberInput label="Position" value={positionMm} onInput={setPositionMm} />
        mm
      </span>
      <span class="field">
        Rotation
        <NumberInput label="Rotation" value={rotationDeg} onInput={setRotationDeg} />°
      </span>
      <TaskButton app={app} task={previewTask(recording)} type="submit">
        Preview optimization
      </TaskButton>
    </Form>
  );
}
