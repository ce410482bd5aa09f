/** What a page shows below its heading. If it is late, the page is sent without it, and it follows. */
export type Late<T> =
  | { ready: T }
  | {
      late: Promise<T>;
      /** Of the same page, sent whole. */
      wholeUrl: string;
    };
