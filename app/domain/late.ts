/** What a page shows below its heading. If it is late, it is sent after the rest of the page. */
export type Late<T> =
  | { ready: T }
  | {
      late: Promise<T>;
      /** URL of the same page, sent only when all of it is ready. */
      wholeUrl: string;
    };

/** The header by which a script asks for a whole page: scripts insert no late parts into pages that they fetch. */
export const wholePageHeader = "Whole-Page";
