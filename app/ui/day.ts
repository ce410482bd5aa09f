/** Made once: making one takes longer than drawing the rest of a list of articles. */
const format = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });

/** "2021-07-31" as people write it: 31 July 2021. */
export const dayInWords = (day: string): string => format.format(new Date(day));
