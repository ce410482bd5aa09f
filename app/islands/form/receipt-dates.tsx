import type { Receipt } from "../../domain/receipt.ts";
import type { FormName } from "../../domain/request.ts";
import { linkDays, replyHours, rubricReplyHours } from "../../domain/service.ts";

const dayHours = 24;

/** Hours until a request is answered, by form; the others promise no time. */
const hoursToReply: Partial<Record<FormName, number>> = {
  "demo-request": replyHours,
  "demo-upload": replyHours,
  "rubric-request": rubricReplyHours.to,
};

/** What happens to a request and when, from its receipt to its deletion. */
export function ReceiptDates({
  receipt: { form, receivedAt },
  retentionDays,
}: {
  receipt: Receipt;
  /** Undefined if the request is not deleted after a fixed time. */
  retentionDays: number | undefined;
}) {
  const replyAfter = hoursToReply[form];
  const linkAfter =
    form === "demo-upload" && Math.min(linkDays, retentionDays ?? linkDays) * dayHours;
  const dates: [what: string, hours: number | undefined | false][] = [
    ["Received", 0],
    ["We reply by", replyAfter],
    ["Your link works until", linkAfter],
    ["Deleted here on", retentionDays && retentionDays * dayHours],
  ];
  return (
    <ol className="dates">
      {dates.map(([what, hours]) => {
        if (hours === undefined || hours === false) return null;
        const time = new Date(Date.parse(receivedAt) + hours * 3_600_000).toISOString();
        return (
          <li key={what}>
            {what}{" "}
            <time dateTime={time} className="figures">
              {hours <= 2 * dayHours ? formatTime(time) : formatDay(time)}
            </time>
          </li>
        );
      })}
    </ol>
  );
}

/** South African time, so that server and browser render the same text: "Sun 22 Nov, 17:42". */
export const formatTime = (time: string) =>
  format(time, {
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });

const formatDay = (time: string) =>
  format(time, { day: "numeric", month: "short", year: "numeric" });

const format = (time: string, options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone: "Africa/Johannesburg" }).format(
    new Date(time),
  );
