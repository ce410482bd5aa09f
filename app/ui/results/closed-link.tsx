import { linkDays } from "../../domain/service.ts";

/** Says the same for unknown, expired and revoked links, so that guessing reveals nothing. */
export function ClosedLink() {
  return (
    <>
      <p>
        Links to marked work end after {linkDays} days, at midnight, and we can end one earlier.
        Please compare the address with the one in our newest email to you.
      </p>
      <p>If you still need the results, reply to that email and we will send you a new link.</p>
      <div className="actions">
        <a className="button quiet" href="/contact">
          Write to us
        </a>
      </div>
    </>
  );
}
