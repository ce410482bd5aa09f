export function Fetching() {
  return (
    <div className="sending">
      <p role="status">
        <span className="spinner" aria-hidden="true" />
        Fetching the marks
      </p>
      <progress max={100} aria-label="Fetching the marks" />
    </div>
  );
}

export function FetchFailed({ onRetry }: { onRetry: () => void }) {
  return (
    <div role="alert">
      <p className="field-error">The marks could not be fetched.</p>
      <button type="button" className="button quiet small" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}
