/** What is shown while marks are on their way, and where they did not arrive. */
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

export function NotFetched({ again }: { again: () => void }) {
  return (
    <div role="alert">
      <p className="field-error">The marks could not be fetched.</p>
      <button type="button" className="button quiet small" onClick={again}>
        Try again
      </button>
    </div>
  );
}
