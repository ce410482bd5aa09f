/** Offers to send a form as HTML does. Shown where posts by script get no answer. */
export function PlainPost({ onSend }: { onSend: () => void }) {
  return (
    <p>
      Something between you and us may block this way of sending.{" "}
      <button type="button" className="button quiet small" onClick={onSend}>
        Send without JavaScript
      </button>
    </p>
  );
}
