/** Sends a form as HTML does. Offered where script gets no answer: a filter or an extension may block its posts. */
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
