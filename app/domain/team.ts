/** The team's page of a request: where a class is taken from the upload to the published marks. */
import type { ScriptsReady } from "./class-jobs.ts";
import type { AuditAction } from "./data-subject.ts";
import type { ListedMarkingLink } from "./desk.ts";
import type { LeadQuestion } from "./lead-question.ts";
import type { AssessmentStatus, OpenLink } from "./publication.ts";
import type { Signature } from "./result.ts";
import type { ShownScanUpload } from "./scan-upload.ts";
import type { StagedFile } from "./upload.ts";

/** The name under which a member of the team marks. */
export const leadName = (by: string) => `${by} (lead)`;

/**
 * The member of the team who marks under a name; undefined if the name is a marker's. A marker for whom an operator
 * opens a link under a name such as “N. Dlamini (lead)” counts as a member too.
 */
export const leadOf = (marker: string) => /^(.*) \(lead\)$/s.exec(marker)?.[1];

/** A private link to the team's page, before it is stored as its hash. */
export interface NewTeamLink {
  token: string;
  /** Contains the token. */
  url: string;
}

interface TeamEvent {
  /** ISO 8601, UTC. */
  at: string;
  action: AuditAction;
  /** The name given on the team's page; null for commands, and for what markers and educators did under links. */
  by: string | null;
  /** Who proposed the marks that were imported; "" if the import does not say, null for other actions. */
  proposedBy: string | null;
}

/** The downloads with learners' names. Each is recorded and emailed, at most once an hour for each person. */
export type NameExport = Extract<
  AuditAction,
  "names exported" | "files exported" | "scripts exported" | "sheet filled"
>;

/** A request as the link to the team's page opens it. */
export interface TeamRequest {
  assessmentId: number;
  reference: string;
  /** ISO 8601, UTC. */
  receivedAt: string;
  /** Title of the class. */
  title: string;
  sender: { name: string; email: string; institution: string | null };
  status: AssessmentStatus;
  /** Numbers of answers of learners who get a grade. */
  progress: { decided: number; total: number };
  /** Present while the marks are signed. */
  signed?: Signature;
  /** The open link of the educator; null if there is none. */
  resultsLink: OpenLink | null;
  /** Whether a reading copy is open. */
  hasReadingCopy: boolean;
  /** The files in the order they were sent. Those cut from a scan have the field `scannedPages`. */
  files: Pick<StagedFile, "id" | "field" | "name" | "size">[];
  /** What was done about the request, newest first. */
  history: TeamEvent[];
}

/** A form of the team's page as it comes back, with what was done or why nothing was. */
export interface TeamReply {
  intent: string;
  /** The name under which the person acts. */
  by: string;
  /** What was posted, for the form that comes back. */
  typed: Record<string, string>;
  /** What was done, as a sentence. */
  done?: string;
  /** Why nothing was done, as a sentence. */
  error?: string;
  /** What a class list or proposals would change, and the version to post to store them. */
  plan?: { sentences: string[]; version: string };
  /** A new private link, to copy. */
  link?: string;
  /** The desk that was opened for the person. */
  desk?: string;
  /** The school's sheet with the marks, to download, and what was not filled in. */
  filled?: { name: string; href: string; sentences: string[] };
}

/** What was read from a posted form of the team's page that may have files. */
export interface ReadTeamForm {
  /** The texts of the form; for a scan that has arrived, also its key (`upload`), `name` and `size`. */
  typed: Record<string, string>;
  /** The text of a class list or of proposals that was chosen as a file. */
  list?: string;
  /** The school's sheet, which is stored nowhere. */
  sheet?: SentSheet;
  /** Why a file was not taken. */
  failure?: { status: number; error: string };
}

export interface SentSheet {
  name: string;
  bytes: Uint8Array;
}

/** Maximum size of a school's sheet, in bytes: the filled sheet is part of the page that comes back. */
export const maxSheetBytes = 1_048_576;

export interface TypedMarker {
  marker: string;
  /** Where the link is sent; missing if it is shown. */
  email?: string | undefined;
  /** Question numbers, as in 1-3 or 1.1,2; missing for all. */
  questions?: string | undefined;
  /** Learners' numbers, as in 1-20; missing for all. */
  learners?: string | undefined;
  showsNames: boolean;
  /** For what percentage of the learners proposals are hidden. */
  blind?: string | undefined;
  isSecond: boolean;
  tolerance?: string | undefined;
  days?: string | undefined;
}

export type TeamResult =
  | ({ done: string } & Pick<TeamReply, "plan" | "link" | "desk" | "filled">)
  | { status: 409 | 422; error: string };

/** A file to be marked, and the learner who has it; null if no learner has it. */
export interface WorkFileOwner {
  fileId: number;
  name: string;
  learnerId: number | null;
}

/** Who gets a file: the learner with this id, a new learner, or no learner, because the file is no script. */
export type WorkFileTarget = number | "new learner" | "no script";

export type WorkFileOutcome =
  | "stored"
  /** No learner has the file that was to be taken away, or a learner has the file that was to be given. */
  | "no file"
  | "no learner"
  /** A mark of the learner is decided. */
  | "decided"
  /** The file is all the work of the only learner, who would be removed. */
  | "only learner"
  | "signed";

/** Figures of a link's decisions, for learners with a grade. Only the last on each answer counts, unless discarded. */
export interface MarkerFigures {
  decided: number;
  /** The sum of the marks divided by the sum of their questions' totals. */
  meanShare: number;
  /** The answers that another marker has marked too; null if there are none. `kappa` is null where it is undefined. */
  twice: { count: number; same: number; kappa: number | null } | null;
}

export interface TeamPageData extends TeamRequest {
  /** The markers' links, oldest first. `figures` is undefined if not asked for, or if no decision of the link holds. */
  markers: (ListedMarkingLink & { figures: MarkerFigures | undefined })[];
  /** The oldest questions without a reply, the number of all without one, and the newest questions with a reply. */
  questions: { open: LeadQuestion[]; waiting: number; replied: LeadQuestion[] };
  learners: {
    id: number;
    number: string | undefined;
    /** Whether a class list gave the number. */
    isNumberListed: boolean;
    name: string;
    hasWork: boolean;
  }[];
  works: WorkFileOwner[];
  /** The uploads of scans, oldest first. */
  scans: ShownScanUpload[];
  /** How many scripts can be shown; null unless other scripts are being rendered. */
  scriptsReady: ScriptsReady | null;
  /** Whether this class is being cut or rendered now. */
  isWorkedOn: boolean;
  /** The open work as sentences, and the number of open items. */
  open: { sentences: string[]; count: number };
}
