/** Shared: creating one takes longer than rendering the rest of the article list. */
const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** Formats "2021-07-31" as "31 July 2021". */
export const formatDay = (day: string): string => format.format(new Date(day));
