/** Selects the curves that the chart draws: from presets, by search, or in a tree. */

import { useState } from "preact/hooks";
import type { AppProperties } from "../components";
import "./curves.css";
import { formatCount } from "../number-format";
import type { Curve, RecordingCurves } from "../recording/decode";
import { type Branch, presetsOf, searchCurves, treeOf } from "./curve-model";
import { Muted } from "./panel";

const MAX_RESULTS = 60;

export function CurvesPanel({ app }: AppProperties) {
  const [query, setQuery] = useState("");
  const curves = app.state.active.value?.curves ?? null;
  const drawn = app.state.drawnCurves.value;
  return (
    <>
      <div class="curve-presets">{curves && <Presets app={app} curves={curves} />}</div>
      <div class="clear-row">
        <span class="muted">{drawn.length === 0 ? "None shown" : `${drawn.length} shown`}</span>
        <button type="button" disabled={drawn.length === 0} onClick={() => app.view.showCurves(drawn, false)}>
          Clear all
        </button>
      </div>
      <input
        type="search"
        placeholder="Search: left tip y"
        aria-label="Search curves"
        value={query}
        onInput={({ currentTarget }) => setQuery(currentTarget.value)}
      />
      <div class="curve-results">{curves && <Matches app={app} curves={curves} query={query.trim()} />}</div>
    </>
  );
}

interface CurvesProperties extends AppProperties {
  readonly curves: RecordingCurves;
}

function Presets({ app, curves }: CurvesProperties) {
  return presetsOf(curves).map(({ label, names }) => {
    const isShown = names.every((name) => app.state.drawnCurves.value.includes(name));
    return (
      <button key={label} type="button" aria-pressed={isShown} onClick={() => app.view.showCurves(names, !isShown)}>
        {label}
      </button>
    );
  });
}

function Matches({ app, curves, query }: CurvesProperties & { readonly query: string }) {
  if (query === "") {
    return treeOf(curves).map((branch) => <BranchView key={branch.name} app={app} branch={branch} />);
  }
  const found = searchCurves(curves, query);
  if (found.length === 0) {
    return <Muted>No matching curves.</Muted>;
  }
  return (
    <>
      {found.slice(0, MAX_RESULTS).map((curve) => (
        <LeafView key={curve.name} app={app} curve={curve} label={curve.name} />
      ))}
      {found.length > MAX_RESULTS && <Muted>and {found.length - MAX_RESULTS} more</Muted>}
    </>
  );
}

/** Renders its contents only once opened: a recording has hundreds of curves. */
function BranchView({ app, branch }: AppProperties & { readonly branch: Branch }) {
  const [wasOpened, setOpened] = useState(false);
  const { label, name, selection, keyCount, leaves, branches } = branch;
  return (
    <div class="branch">
      {selection.length > 0 && (
        <CurveCheckbox app={app} names={selection} label={`${label}, ${selection.length} curves`} />
      )}
      <details onToggle={() => setOpened(true)}>
        <summary>
          {label}
          <KeyCount app={app} count={keyCount} />
        </summary>
        {wasOpened &&
          leaves.map((curve) => (
            <LeafView key={curve.name} app={app} curve={curve} label={curve.name.slice(name.length + 1)} />
          ))}
        {wasOpened && branches.map((inner) => <BranchView key={inner.name} app={app} branch={inner} />)}
      </details>
    </div>
  );
}

function LeafView({ app, curve, label }: AppProperties & { readonly curve: Curve; readonly label: string }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the checkbox is inside.
    <label class="leaf">
      <CurveCheckbox app={app} names={[curve.name]} />
      <span>{label}</span>
      <KeyCount app={app} count={curve.times.length} />
    </label>
  );
}

/** Nothing while an overview is shown, which has fewer keys than the recording. */
function KeyCount({ app, count }: AppProperties & { readonly count: number }) {
  const isKnown = app.state.active.value?.hasAllKeys === true;
  return isKnown && <span class="key-count muted numbers">{formatCount(count, "key")}</span>;
}

interface CurveCheckboxProperties extends AppProperties {
  readonly names: readonly string[];
  readonly label?: string;
}

/** Checked if all of the curves are drawn, indeterminate if some are. */
function CurveCheckbox({ app, names, label }: CurveCheckboxProperties) {
  const drawn = names.filter((name) => app.state.drawnCurves.value.includes(name)).length;
  return (
    <input
      type="checkbox"
      aria-label={label}
      title={label}
      checked={drawn === names.length}
      indeterminate={drawn > 0 && drawn < names.length}
      onChange={({ currentTarget }) => app.view.showCurves(names, currentTarget.checked)}
    />
  );
}
