/** Dates are formatted without Intl, whose data would add 15 ms to every start. */
const months =
  "January February March April May June July August September October November December".split(
    " ",
  );
const weekdays = "Sun Mon Tue Wed Thu Fri Sat".split(" ");

/** The zone of every page, email and command, Africa/Johannesburg, which has no summer time. */
export const zoneOffset = "+02:00";
const offsetMs = Date.parse("1970-01-01T00:00Z") - Date.parse(`1970-01-01T00:00${zoneOffset}`);

/** Formats a stored time as ISO 8601 in the zone of every page, without the zone: "2026-11-24T16:02:31.000". */
const localIso = (time: string) =>
  new Date(Date.parse(time) + offsetMs).toISOString().replace("Z", "");

/** The day of a time: "2026-11-24". */
export const dayOf = (time: string): string => localIso(time).slice(0, 10);

const partsOf = (day: string) => {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return { date, month: months[month - 1]!, year };
};

/** Formats "2021-07-31" as "31 July 2021". */
export function formatDay(day: string): string {
  const { date, month, year } = partsOf(day);
  return `${date} ${month} ${year}`;
}

const noBreak = "\u00a0";

/** Formats a time as its day, with spaces at which no line is broken: "24 November 2026". */
export const formatDayOf = (time: string): string =>
  formatDay(dayOf(time)).replaceAll(" ", noBreak);

/** Formats a time as a short day: "24 Nov 2026". */
export const formatShortDayOf = (time: string): string => {
  const { date, month, year } = partsOf(dayOf(time));
  return [date, month.slice(0, 3), year].join(noBreak);
};

/** Formats a time as hours and minutes: "16:02". */
export const formatTimeOf = (time: string): string => localIso(time).slice(11, 16);

/** Formats a time with its weekday and without its year: "Tue 24 Nov, 16:02". */
export const formatMomentOf = (time: string): string => {
  const local = localIso(time);
  const { date, month } = partsOf(local.slice(0, 10));
  const weekday = weekdays[new Date(`${local}Z`).getUTCDay()];
  return [weekday, date, `${month.slice(0, 3)},`, formatTimeOf(time)].join(noBreak);
};

/** Formats a time for operators, with its zone: "2026-11-24 16:02:31 +02:00". */
export const zonedTime = (time: string): string =>
  `${localIso(time).slice(0, 19).replace("T", " ")} ${zoneOffset}`;

/** The last moment of a time's day. */
export const endOfDay = (time: Date): Date =>
  new Date(`${dayOf(time.toISOString())}T23:59:59.999${zoneOffset}`);

/** Formats "2021-07-31" as "July 2021". */
export function formatMonth(day: string): string {
  const { month, year } = partsOf(day);
  return `${month} ${year}`;
}
