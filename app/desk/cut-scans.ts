/** Finds the learner of each page of a scan: a cover sheet begins the script of the learner with the sheet's number. */
import { counted } from "../domain/counted.ts";
import type { ScannedPage } from "../domain/scan.ts";

interface Scan {
  name: string;
  pages: ScannedPage[];
}

export interface ScannedLearner {
  id: number;
  number: string;
  name: string;
  hasWork: boolean;
}

/** The pages of a scan that make up one script, in the order in which they are read. */
export interface CutScript {
  scan: Scan;
  /** Null for a learner who is new. */
  learner: ScannedLearner | null;
  /** The pages of the script, each with the turn that brings it upright. */
  pages: ScannedPage[];
}

interface CutProblem {
  scan: Scan;
  page: ScannedPage;
  /** Why the page belongs to no learner, as the rest of a sentence that begins with the page. */
  reason: string;
}

/**
 * Every page of the scans is in one script or problem, except the pages of `withoutSheets` and some cover sheets: the
 * sheets of the class's learners, and repeats of a sheet right after it. These are problems if they may have writing.
 */
export interface Cut {
  scripts: CutScript[];
  problems: CutProblem[];
  /** Learners without work for whom there was no sheet. */
  missing: ScannedLearner[];
  /**
   * Numbers of learners whose scripts are longer than the median. Empty unless a learner is missing, no length was
   * typed, and no length is common to more than half of the scripts.
   */
  longer: string[];
  /** Numbers of sheets that were found more than once, or whose learner had work before. */
  double: string[];
  /** Numbers of sheets that no learner has. */
  unknown: string[];
  /** Numbers of sheets without pages: their learners may have been absent. */
  withoutPages: string[];
  /** Scans without cover sheets; empty if the pages per script were typed, because such scans are then cut by count. */
  withoutSheets: Scan[];
  /** Scans whose sheets are all of another class. */
  ofAnotherClass: Scan[];
}

/** Pages from one cover sheet to the next. */
interface Segment {
  scan: Scan;
  /** Null before the first sheet. */
  sheet: ScannedPage | null;
  pages: ScannedPage[];
}

/**
 * Cuts scans into the scripts of learners and problem pages.
 * @param scriptPages how many pages a script has; undefined if they differ
 * @param classNumber the number in the codes of the class's own sheets; a code may have none
 */
export function cutScans(
  scans: Scan[],
  learners: readonly ScannedLearner[],
  scriptPages: number | undefined,
  classNumber: string,
): Cut {
  const isSheeted = ({ pages }: Scan) => pages.some(({ sheetNumber }) => sheetNumber !== null);
  const isForeign = foreignSheets(scans, classNumber);
  const segments = scans.filter(isSheeted).flatMap(segmentsOf);
  const withoutSheets = scans.filter((scan) => !isSheeted(scan));
  const sheetNumbers = new Set(
    segments.flatMap(({ sheet }) => (sheet && !isForeign(sheet) ? sheet.sheetNumber : [])),
  );
  const missing = learners.filter((one) => !one.hasWork && !sheetNumbers.has(one.number));
  const given = segmentsToLearners(segments, learners, isForeign);
  const usual = missing.length > 0 ? usualLength(given.scripts) : undefined;
  const maxPages = scriptPages ?? usual;
  const isTyped = scriptPages !== undefined;
  const byCount = scriptPages ? withoutSheets.map((scan) => cutByCount(scan, scriptPages)) : [];
  return {
    ...given,
    scripts: [
      // The back of a sheet is kept as the last page, because faint writing on it may look blank to this program.
      ...given.scripts.map(({ scan, learner, back, pages }) => ({
        scan,
        learner,
        pages: [...pages.slice(0, maxPages), ...back],
      })),
      ...byCount.flatMap(({ scripts }) => scripts),
    ],
    problems: [
      ...given.problems,
      ...(maxPages === undefined
        ? []
        : given.scripts.flatMap((script) => problemsBeyond(script, { maxPages, isTyped }))),
      ...byCount.flatMap(({ problems }) => problems),
      ...writtenSheets(scans, given.problems),
    ].sort(
      (one, other) =>
        scans.indexOf(one.scan) - scans.indexOf(other.scan) || one.page.page - other.page.page,
    ),
    missing,
    longer: missing.length > 0 && maxPages === undefined ? longerThanHalf(given.scripts) : [],
    withoutSheets: scriptPages ? [] : withoutSheets,
    ofAnotherClass: scans.filter(
      (scan) =>
        isSheeted(scan) && scan.pages.every((page) => page.sheetNumber === null || isForeign(page)),
    ),
  };
}

/**
 * Returns a function that says whether a sheet may be another class's: its code has a number other than `own`, or has
 * no number although more codes of the scan have `own` than no number.
 */
function foreignSheets(scans: Scan[], own: string): (sheet: ScannedPage) => boolean {
  const foreign = new Set(
    scans.flatMap(({ pages }) => {
      const sheets = Map.groupBy(
        pages.filter(({ sheetNumber }) => sheetNumber !== null),
        (page) => page.classNumber ?? null,
      );
      const [owned, numberless] = [sheets.get(own) ?? [], sheets.get(null) ?? []];
      const known = new Set(owned.length > numberless.length ? owned : [...owned, ...numberless]);
      return [...sheets.values()].flat().filter((sheet) => !known.has(sheet));
    }),
  );
  return (sheet) => foreign.has(sheet);
}

const problemsOf = (scan: Scan, pages: ScannedPage[], reason: string): CutProblem[] =>
  pages.map((page) => ({ scan, page, reason }));

/** Cover sheets that may have an answer on them, as problem pages; without those that are `known` problems. */
function writtenSheets(scans: Scan[], known: CutProblem[]): CutProblem[] {
  const knownPages = new Set(known.map(({ page }) => page));
  return scans.flatMap((scan) =>
    scan.pages
      .filter((page) => page.isWrittenOn && !knownPages.has(page))
      .map((page) => ({
        scan,
        page,
        reason: `is the cover sheet of learner ${page.sheetNumber}, and may have writing on it`,
      })),
  );
}

/** Splits a scan at its cover sheets. A sheet that was scanned twice in a row counts once. */
function segmentsOf(scan: Scan): Segment[] {
  const segments: Segment[] = [{ scan, sheet: null, pages: [] }];
  for (const page of scan.pages) {
    const last = segments.at(-1)!;
    if (page.sheetNumber === null) last.pages.push({ ...page, turn: last.sheet?.turn ?? 0 });
    else if (!isSameSheet(page, last.sheet) || last.pages.length > 0) {
      segments.push({ scan, sheet: page, pages: [] });
    }
  }
  return segments;
}

const isSameSheet = (one: ScannedPage, other: ScannedPage | null) =>
  one.sheetNumber === other?.sheetNumber && one.classNumber === other.classNumber;

/** The pages of a learner under a cover sheet. */
interface SheetedScript {
  scan: Scan;
  learner: ScannedLearner;
  /** The blank back of the cover sheet, if it was scanned. It does not count towards the script's length. */
  back: ScannedPage[];
  pages: ScannedPage[];
}

type Given = Pick<Cut, "problems" | "double" | "unknown" | "withoutPages"> & {
  scripts: SheetedScript[];
};

/**
 * Gives each learner the pages of one segment: the first with the learner's number in which not all pages are blank.
 * A learner who had work before gets none. All other pages become problems.
 */
function segmentsToLearners(
  segments: Segment[],
  learners: readonly ScannedLearner[],
  isForeign: (sheet: ScannedPage) => boolean,
): Given {
  const byNumber = new Map(learners.map((learner) => [learner.number, learner]));
  const seen = new Set<string>();
  const scripted = new Set<string>();
  const double = new Set<string>();
  const unknown = new Set<string>();
  const withoutPages = new Set<string>();
  const scripts: SheetedScript[] = [];
  const problems: CutProblem[] = [];
  for (const { scan, sheet, pages } of segments) {
    const reject = (rejected: ScannedPage[], reason: string) =>
      problems.push(...problemsOf(scan, rejected, reason));
    if (!sheet) {
      reject(pages, "is before the first cover sheet");
      continue;
    }
    if (isForeign(sheet)) {
      reject([sheet, ...pages], "is under a cover sheet of another class");
      continue;
    }
    const number = sheet.sheetNumber!;
    const learner = byNumber.get(number);
    if (!learner) {
      unknown.add(number);
      const reason = `is under a cover sheet with the number ${number}, which no learner has`;
      reject([sheet, ...pages], reason);
      continue;
    }
    if (seen.has(number) || learner.hasWork) double.add(number);
    seen.add(number);
    if (pages.every(({ isBlank }) => isBlank)) {
      reject(pages, `is blank, and nothing else is under the cover sheet of learner ${number}`);
      withoutPages.add(number);
    } else if (learner.hasWork) reject(pages, `is of learner ${number}, who had work before`);
    else if (scripted.has(number)) {
      reject(pages, `is under a second cover sheet of learner ${number}`);
    } else {
      scripted.add(number);
      const backs = pages[0]!.isBlank ? 1 : 0;
      scripts.push({ scan, learner, back: pages.slice(0, backs), pages: pages.slice(backs) });
    }
  }
  return {
    scripts,
    problems,
    double: [...double],
    unknown: [...unknown],
    withoutPages: [...withoutPages].filter(
      (number) => !byNumber.get(number)!.hasWork && !scripted.has(number),
    ),
  };
}

/** The number of pages that more than half of the scripts have; undefined if there is none. */
function usualLength(scripts: SheetedScript[]): number | undefined {
  const lengths = Map.groupBy(scripts, ({ pages }) => pages.length);
  return [...lengths].find(([, some]) => 2 * some.length > scripts.length)?.[0];
}

/** The numbers of learners with scripts above the median length. */
function longerThanHalf(scripts: SheetedScript[]): string[] {
  const lengths = scripts.map(({ pages }) => pages.length).sort((one, other) => one - other);
  const median = lengths[Math.floor((lengths.length - 1) / 2)] ?? 0;
  return scripts.flatMap(({ pages, learner }) => (pages.length > median ? learner.number : []));
}

/** Makes problems of a script's pages beyond the limit, which may belong to a learner whose sheet was not found. */
function problemsBeyond(
  { scan, pages }: SheetedScript,
  { maxPages, isTyped }: { maxPages: number; isTyped: boolean },
): CutProblem[] {
  const whose = isTyped
    ? "of a script"
    : "that most scripts have, and the cover sheet of a learner is missing";
  const reason = `is beyond the ${counted(maxPages, "page")} ${whose}`;
  return problemsOf(scan, pages.slice(maxPages), reason);
}

/** Cuts a scan without sheets into scripts of `scriptPages` pages, for new learners. Pages left over are problems. */
function cutByCount(scan: Scan, scriptPages: number): Pick<Cut, "scripts" | "problems"> {
  const whole = Math.floor(scan.pages.length / scriptPages);
  const partOf = (index: number) =>
    scan.pages.slice(index * scriptPages, (index + 1) * scriptPages);
  const pages = Array.from({ length: whole }, (_, index) => partOf(index));
  const reason = `is left over: the scan is no multiple of ${counted(scriptPages, "page")}`;
  return {
    scripts: pages.map((part) => ({ scan, learner: null, pages: part })),
    problems: problemsOf(scan, partOf(whole), reason),
  };
}
