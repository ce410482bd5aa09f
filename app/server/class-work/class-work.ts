/** What all functions of this folder share: their dependencies, and the errors that they return. */
import type { Store } from "#db/store.ts";
import { endOfDay } from "../../domain/day.ts";
import { dayMs } from "../../domain/duration.ts";
import type { ListedRequest } from "../../domain/request-record.ts";
import type { Config } from "../config/load-config.ts";
import { variableOf } from "../config/settings-table.ts";

/** The dependencies of work on a class, with the time and the person. */
export interface Work {
  store: Store;
  config: Config;
  now: Date;
  /** The name that was given on the team's page; missing for commands. */
  by?: string | undefined;
}

export interface ClassWork {
  assessmentId: number;
  reference: string;
}

/** Why nothing was done: `error` is a sentence for the person who asked, `code` is for the program. */
export interface WorkError {
  code:
    | "setting"
    | "quarantine"
    | "invalid"
    | "no questions"
    | "second marker"
    | "no marks"
    | "too old"
    | "no page"
    /** Something has changed since the page was rendered. */
    | "changed";
  error: string;
}

export const isWorkError = (outcome: object): outcome is WorkError => "error" in outcome;

export const workError = (code: WorkError["code"], error: string): WorkError => ({ code, error });

export const noPublicUrl = (): WorkError =>
  workError("setting", `Set ${variableOf("PUBLIC_URL")}: the link begins with it.`);

export const inQuarantine = ({ reference }: Pick<ListedRequest, "reference">): WorkError =>
  workError("quarantine", `Request ${reference} is in quarantine.`);

/** Returns the request of a class. @throws Error if it was deleted meanwhile */
export async function requestOfClass(
  { store, now }: Work,
  { reference }: ClassWork,
): Promise<ListedRequest> {
  const found = await store.findRequest(reference, now);
  if (!found) throw new Error(`Request ${reference} was deleted.`);
  return found.request;
}

export const afterDays = (time: Date, days: number) => new Date(time.getTime() + days * dayMs);

/** A link ends with its last day, because emails name only the day, but no later than its request. */
export const linkEnd = (end: Date, deletedAt: Date): Date => {
  const lastMoment = endOfDay(end);
  return lastMoment < deletedAt ? lastMoment : deletedAt;
};

/** Days after which a marker's link ends if none are typed, unless the request is deleted earlier. */
export const defaultMarkingDays = 14;
