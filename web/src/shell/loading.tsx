/** The progress of recordings that are loading, and those that could not be loaded. */

import "./loading.css";
import type { AppProperties } from "../components";
import { formatPercent } from "../number-format";
import type { LoadingRecording } from "../state";

export function Loading({ app }: AppProperties) {
  return app.state.loading.value.map((loading) =>
    loading.error === null ? (
      <Progress key={loading.info.id} loading={loading} />
    ) : (
      <div key={loading.info.id} class="loading-recording failed" role="alert">
        <span>{`${loading.info.name}: ${loading.error}`}</span>
        <div class="loading-actions">
          <button type="button" class="primary" onClick={() => void app.retry(loading)}>
            Retry
          </button>
          <button type="button" onClick={() => app.dismiss(loading)}>
            Dismiss
          </button>
        </div>
      </div>
    ),
  );
}

function Progress({ loading: { info, fraction } }: { readonly loading: LoadingRecording }) {
  const label = `Loading ${info.name} …`;
  return (
    <div class="loading-recording">
      <span>{label}</span>
      <span class="numbers muted">{fraction !== null && formatPercent(fraction)}</span>
      {/* Without a value, the browser draws a bar that moves. */}
      <progress aria-label={label} {...(fraction === null ? {} : { value: fraction })} />
    </div>
  );
}
