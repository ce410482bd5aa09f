/** Not by Intl, whose data for dates takes a start 15 ms to load. */
const months = [
  ...["January", "February", "March", "April", "May", "June"],
  ...["July", "August", "September", "October", "November", "December"],
];

/** Formats "2021-07-31" as "31 July 2021". */
export function formatDay(day: string): string {
  const [year, month, date] = day.split("-").map(Number) as [number, number, number];
  return `${date} ${months[month - 1]} ${year}`;
}

/** Formats a time as its day in South Africa, which has no summer time. */
export const formatDayOf = (time: string): string =>
  formatDay(new Date(Date.parse(time) + 2 * 60 * 60 * 1000).toISOString().slice(0, 10));

/** Formats a time as hours and minutes there. */
export const formatTimeOf = (time: string): string =>
  new Date(Date.parse(time) + 2 * 60 * 60 * 1000).toISOString().slice(11, 16);

/** Formats "2021-07-31" as "July 2021". */
export const formatMonth = (day: string): string => formatDay(day).replace(/^\d+ /, "");
