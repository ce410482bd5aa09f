/** What a page shows below its heading: ready, or late, which follows once the rest of the page is sent. */
export type Late<T> =
  | { ready: T }
  | {
      late: Promise<T>;
      /** URL of the same page, sent only when all of it is ready. */
      wholeUrl: string;
    };

/** The header of a request for a whole page, because no script would insert late parts. */
export const wholePageHeader = "Whole-Page";
