/** The tolerances of an optimization. */

import { useState } from "preact/hooks";
import type { OpenRecording } from "../state";
import { type PanelProperties, TaskButton } from "./panel";
import { previewTask } from "./preview";

export function OptimizeForm({ app, recording }: PanelProperties & { readonly recording: OpenRecording }) {
  // The defaults of `holotape optimize`.
  const [positionMm, setPositionMm] = useState(1);
  const [angleDeg, setAngleDeg] = useState(0.2);
  const optimize = () => app.preview(recording, { what: "optimize", positionMm, angleDeg });
  return (
    <form
      class="optimize-form"
      onSubmit={(event) => {
        event.preventDefault();
        void app.runExclusive(previewTask(recording), optimize);
      }}
    >
      <ToleranceField label="Position" unit="mm" value={positionMm} onChange={setPositionMm} />
      <ToleranceField label="Rotation" unit="°" value={angleDeg} onChange={setAngleDeg} />
      <TaskButton app={app} task={previewTask(recording)} type="submit">
        Preview optimization
      </TaskButton>
    </form>
  );
}

interface ToleranceFieldProperties {
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function ToleranceField({ label, unit, value, onChange }: ToleranceFieldProperties) {
  const onInput = ({ currentTarget }: { currentTarget: HTMLInputElement }) => onChange(currentTarget.valueAsNumber);
  return (
    <label class="field">
      {label}
      <input type="number" step="any" min={0} required value={value} onInput={onInput} />
      {unit}
    </label>
  );
}
