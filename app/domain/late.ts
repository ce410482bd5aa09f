/** What a page shows below its heading: ready, or late, which follows once the rest of the page is sent. */
export type Late<T> =
  | { ready: T }
  | {
      late: Promise<T>;
      /** URL of the same page, sent only when all of it is ready. */
      wholeUrl: string;
    };

/** The header of a request for a page whose late parts no script would insert: it is sent whole. */
export const wholePageHeader = "Whole-Page";
