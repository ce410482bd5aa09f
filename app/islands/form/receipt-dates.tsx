import { linkDays } from "../../domain/service.ts";
import type { Form } from "../../forms/form.ts";

const dayHours = 24;

/** What happens to a request and when, from its receipt to its deletion. */
export function ReceiptDates({
  form: { replyHours, hasResults },
  receivedAt,
  retentionDays,
}: {
  form: Pick<Form, "replyHours" | "hasResults">;
  receivedAt: string;
  /** Undefined if the request is not deleted after a fixed time. */
  retentionDays: number | undefined;
}) {
  const linkHours = Math.min(linkDays, retentionDays ?? linkDays) * dayHours;
  const dates: [what: string, hours: number | undefined][] = [
    ["Received", 0],
    ["We reply by", replyHours],
    ["Your link works until", hasResults && linkHours],
    ["Deleted here on", retentionDays && retentionDays * dayHours],
  ];
  return (
    <ol className="dates">
      {dates.map(([what, hours]) => {
        if (hours === undefined) return null;
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
