/** The progress of recordings that are loading, and those that could not be loaded. */

import "./loading.css";
import type { AppProperties } from "../components";
import { formatPercent } from "../number-format";
import type { LoadingRecording } from "../state";

export function Loading({ app }: AppProperties) {
  const overviewIds = app.state.recordings.value.filter(({ hasAllKeys }) => !hasAllKeys).map(({ info }) => info.id);
  return app.state.loading.value.map((loading) => {
    const hasOverview = overviewIds.includes(loading.info.id);
    const place = hasOverview ? "beside-overview" : "";
    return loading.error === null ? (
      <Progress key={loading.info.id} loading={loading} hasOverview={hasOverview} />
    ) : (
      <div key={loading.info.id} class={`loading-recording failed ${place}`} role="alert">
        <span>{`${loading.info.name}: ${loading.error}`}</span>
        {hasOverview && <span class="loading-note muted">The page shows an overview with fewer keys.</span>}
        <div class="loading-actions">
          <button type="button" class="primary" onClick={() => void app.retry(loading)}>
            Retry
          </button>
          <button type="button" onClick={() => app.dismiss(loading)}>
            Dismiss
          </button>
        </div>
      </div>
    );
  });
}

interface ProgressProperties {
  readonly loading: LoadingRecording;
  /** Whether the overview of the recording is on screen. */
  readonly hasOverview: boolean;
}

function Progress({ loading: { info, fraction }, hasOverview }: ProgressProperties) {
  const label = hasOverview ? `Loading all keys of ${info.name} …` : `Loading ${info.name} …`;
  return (
    <div class={`loading-recording ${hasOverview ? "beside-overview" : ""}`}>
      <span>{label}</span>
      <span class="numbers muted">{fraction !== null && formatPercent(fraction)}</span>
      {/* Without a value, the browser draws a bar that moves. */}
      <progress aria-label={label} {...(fraction === null ? {} : { value: fraction })} />
    </div>
  );
}
