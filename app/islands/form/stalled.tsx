import { connectionMessages } from "../../forms/sending-time.ts";

export function Stalled({
  keepWaiting,
  cancel,
}: {
  keepWaiting: () => void;
  /** Undefined where a Cancel button is nearby. */
  cancel?: () => void;
}) {
  return (
    <div role="alert">
      <strong>{connectionMessages.stalled}</strong>
      <div className="actions">
        <button type="button" className="button quiet" onClick={keepWaiting}>
          Keep waiting
        </button>
        {cancel && (
          <button type="button" className="button quiet" onClick={cancel}>
            Cancel
          </button>
        )}
      </div>
    </div>
  );
}
