/** Shared: creating one takes longer than rendering the rest of the article list. */
const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const monthFormat = new Intl.DateTimeFormat("en-GB", {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

/** Formats "2021-07-31" as "31 July 2021". */
export const formatDay = (day: string): string => dayFormat.format(new Date(day));

/** Formats "2021-07-31" as "July 2021". */
export const formatMonth = (day: string): string => monthFormat.format(new Date(day));
