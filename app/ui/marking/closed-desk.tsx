import { ReturnedNotice } from "../results/signing.tsx";
import type { ReturnedDeskForm } from "./desk-page.tsx";

/** Says the same for unknown, expired and closed links, so that guessing reveals nothing. */
export function ClosedDesk({ returned }: { returned: ReturnedDeskForm | undefined }) {
  return (
    <div className="page narrow">
      {returned && <ReturnedNotice returned={returned} field={undefined} />}
      <h1>This link opens no marking desk</h1>
      <p>
        Links to the marking desk end after some days, and the team can close one earlier. What was
        saved under it stays. Please compare the address with the one that you were sent.
      </p>
      <p>If there is work left to mark, ask the person who sent you the link for a new one.</p>
    </div>
  );
}
