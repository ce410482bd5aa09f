import { counted } from "../../domain/counted.ts";
import { formatMomentOf, formatShortDayOf } from "../../domain/day.ts";
import { hourMs } from "../../domain/duration.ts";
import type { Receipt } from "../../domain/receipt.ts";
import { linkDays } from "../../domain/service.ts";
import type { Form } from "../../forms/form.ts";
import type { ReplyTime } from "../../forms/reply-time.ts";

const dayHours = 24;

/** What happens to a request and when, from its receipt to its deletion. */
export function ReceiptDates({
  form: { hasResults },
  reply,
  receipt: { receivedAt, marking },
  retentionDays,
}: {
  form: Pick<Form, "hasResults">;
  reply: ReplyTime | undefined;
  receipt: Pick<Receipt, "receivedAt" | "marking">;
  /** Undefined if the request is not deleted after a fixed time. */
  retentionDays: number | undefined;
}) {
  const moment = (what: string, hours: number | undefined, { isDone = false } = {}) => {
    if (hours === undefined) return null;
    const time = new Date(Date.parse(receivedAt) + hours * hourMs).toISOString();
    const shown = hours <= 2 * dayHours ? formatMomentOf(time) : formatShortDayOf(time);
    return <Step what={what} time={time} shown={shown} isDone={isDone} />;
  };
  const past = (what: string, time: string | undefined) =>
    time && <Step what={what} time={time} shown={formatShortDayOf(time)} isDone />;
  return (
    <ol className="timeline">
      {moment("Received", 0, { isDone: true })}
      {past(marking?.readyAt ? "Marked from" : "Being marked since", marking?.startedAt)}
      {past("Ready, with the link in our email of", marking?.readyAt)}
      {!marking?.readyAt && moment("We aim to reply by", reply?.hours)}
      {hasResults && (
        <Step
          what="The link to the marks works"
          shown={`at most ${counted(Math.min(linkDays, retentionDays ?? linkDays), "day")} from our email with it, until midnight`}
        />
      )}
      {moment(
        hasResults ? "Deleted here, with the link, on" : "Deleted here on",
        retentionDays && retentionDays * dayHours,
      )}
    </ol>
  );
}

/** A step that is done has a filled dot; one that is not says “To come” to screen readers. */
function Step({
  what,
  time,
  shown,
  isDone,
}: {
  what: string;
  time?: string;
  shown: string;
  isDone?: boolean;
}) {
  return (
    <li className={isDone ? "done" : undefined}>
      <strong>
        {!isDone && <span className="visually-hidden">To come: </span>}
        {what}
      </strong>{" "}
      {time ? (
        <time dateTime={time} className="figures">
          {shown}
        </time>
      ) : (
        <span className="figures">{shown}</span>
      )}
    </li>
  );
}
