/** Opens the desk of a class to markers, and closes it. */
import { randomInt } from "node:crypto";
import { newToken } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import { zonedTime } from "../../domain/day.ts";
import type { PreparedClass } from "../../domain/desk.ts";
import { dayMs } from "../../domain/duration.ts";
import type { ListedRequest } from "../../domain/request-record.ts";
import type { TypedMarker } from "../../domain/team.ts";
import { learnersIn, questionsIn } from "../../results/class-part.ts";
import { readName, type Wrong } from "../../results/typed-decision.ts";
import { markingPath } from "../../site.ts";
import { linkOrigin } from "../config/link-origin.ts";
import { type Config, senderOf } from "../config/load-config.ts";
import * as rules from "../config/rules.ts";
import { markingEmail } from "../email/compose.ts";
import {
  afterDays,
  type ClassWork,
  defaultMarkingDays,
  inQuarantine,
  isWorkError,
  linkEnd,
  noPublicUrl,
  requestOfClass,
  type Work,
  type WorkError,
  workError,
} from "./class-work.ts";

export interface OpenedMarking {
  marker: string;
  /** Contains the token. */
  url: string;
  expiresAt: Date;
  /** For how many of the learners proposals are hidden until they are decided; missing if for none. */
  blind?: { hidden: number; learners: number };
  /** True if no link was stored or sent, because the same one, or an emailed one for the same work, is open already. */
  wasOpen?: true;
}

/** The names of the fields in sentences: a command's flags, or the labels of a form. */
export type FieldNames = Record<
  "questions" | "learners" | "blind" | "tolerance" | "second" | "days",
  string
>;

interface OpeningOptions {
  fields: FieldNames;
  token?: string;
}

/** Opens the desk of a class to a marker, by a link that is emailed, or shown if no address is typed. */
export async function openMarking(
  work: Work,
  classWork: ClassWork,
  typed: TypedMarker,
  { fields, token = newToken(256) }: OpeningOptions,
): Promise<OpenedMarking | WorkError> {
  const { store, config, now } = work;
  const request = await requestOfClass(work, classWork);
  const origin = linkOrigin(config);
  const person = readPerson(typed);
  if (isWorkError(person)) return person;
  const limits = readLimits(typed, fields);
  if (isWorkError(limits)) return limits;
  if (request.spam) return inQuarantine(classWork);
  if (!origin) return noPublicUrl();
  const expiresAt = endOf(typed.days, { fields, receivedAt: request.receivedAt }, config, now);
  if (isWorkError(expiresAt)) return expiresAt;
  const prepared = await store.prepareDesk(classWork.assessmentId);
  const part = chosenPart(prepared, typed, fields);
  if (isWorkError(part)) return part;
  const { blindShare, tolerance } = limits;
  const { marker, email: recipient } = person;
  const { reference } = classWork;
  const url = `${origin}${markingPath}?link=${token}`;
  const mail = mailOf(work, request, { marker, recipient, expiresAt, url });
  const { showsNames } = typed;
  const blindLearners = blindShare && drawBlind(prepared, blindShare);
  const limited = { ...part, showsNames, tolerance, ...(blindLearners && { blindLearners }) };
  const wanted = { token, marker, ...limited, expiresAt };
  const added = await store.addMarkingLink(classWork.assessmentId, wanted, mail, now);
  if (added.outcome === "open already") {
    return { marker, url, expiresAt: new Date(added.expiresAt), wasOpen: true };
  }
  if (added.outcome === "ended") {
    return workError(
      "changed",
      "The link that this form made has ended. To make another, send the form again.",
    );
  }
  if (added.outcome === "second marker") {
    return workError(
      "second marker",
      `${added.by} has an open link as the second marker of some of these answers, and an answer has one second marker.`,
    );
  }
  await store.openAudit("marking opened", now, reference, work.by);
  const { hidden } = added;
  const learners = prepared.learners.length;
  return { marker, url, expiresAt, ...(hidden !== undefined && { blind: { hidden, learners } }) };
}

/** The email that brings a link; undefined without a recipient, because the link is then shown instead. */
function mailOf(
  { config }: Work,
  { reference, isTest: isOnHold }: ListedRequest,
  { marker, recipient, expiresAt, url: link }: OpenedMarking & { recipient: string | undefined },
) {
  if (recipient === undefined) return undefined;
  const email = markingEmail({ marker, recipient, expiresAt, reference, ...senderOf(config) });
  return { email, link, reference, isOnHold };
}

function readPerson({
  marker: typed,
  email,
}: Pick<TypedMarker, "marker" | "email">):
  | { marker: string; email: string | undefined }
  | WorkError {
  const marker = readName(typed);
  if (typeof marker !== "string") return workError("invalid", marker.error);
  if (email !== undefined && !rules.email.safeParse(email).success) {
    return workError("invalid", `${email} is not an email address.`);
  }
  return { marker, email };
}

/** Reads the tolerance, null for a first marker, and the share of learners whose proposals are hidden, at most 1. */
function readLimits(
  { isSecond, tolerance, blind }: TypedMarker,
  fields: FieldNames,
): { tolerance: number | null; blindShare: number | undefined } | WorkError {
  if (tolerance !== undefined && !isSecond) {
    return workError("invalid", `${fields.tolerance} belongs to ${fields.second}.`);
  }
  if (tolerance !== undefined && !/^\d{1,4}(\.(25|50?|75|00?))?$/.test(tolerance)) {
    return workError("invalid", `${fields.tolerance} takes marks in quarters, such as 0 or 1.5.`);
  }
  if (blind !== undefined && (!/^[1-9]\d{0,2}$/.test(blind) || Number(blind) > 100)) {
    return workError("invalid", `${fields.blind} takes a percentage from 1 to 100, such as 10.`);
  }
  return {
    tolerance: isSecond ? Number(tolerance ?? 0) : null,
    blindShare: blind === undefined ? undefined : Number(blind) / 100,
  };
}

/** When the link ends; an error if the request is due to be deleted, or will be before the typed days are over. */
function endOf(
  days: string | undefined,
  { fields, receivedAt }: { fields: FieldNames; receivedAt: string },
  { retentionDays }: Config,
  now: Date,
): Date | WorkError {
  if (days !== undefined && !/^[1-9]\d{0,3}$/.test(days)) {
    return workError("invalid", `${fields.days} takes a whole number of days, from 1 to 9,999.`);
  }
  const deletedAt = afterDays(new Date(receivedAt), retentionDays);
  const end = afterDays(now, Number(days ?? defaultMarkingDays));
  const daysLeft = Math.floor((deletedAt.getTime() - now.getTime()) / dayMs);
  if (deletedAt <= now || (days !== undefined && end > deletedAt)) {
    return workError(
      "too old",
      `The request is deleted on ${zonedTime(deletedAt.toISOString())}: a link to it can have ${daysLeft < 1 ? "no more days" : `at most ${counted(daysLeft, "day")}`}.`,
    );
  }
  return linkEnd(end, deletedAt);
}

/** Returns the questions and learners of a link, null for all of them; an error if the class lacks a typed number. */
function chosenPart(
  { questions, learners }: PreparedClass,
  typed: TypedMarker,
  fields: FieldNames,
): { questions: string[] | null; learners: number[] | null } | WorkError {
  const paper = questions.map(({ questionNumber }) => questionNumber);
  if (typed.questions !== undefined && paper.length === 0) {
    return workError("no questions", "There are no questions yet.");
  }
  const wrong = (field: string, { error }: Wrong) => workError("invalid", `${field}: ${error}`);
  const chosenQuestions =
    typed.questions === undefined ? null : questionsIn(typed.questions, paper);
  if (chosenQuestions && "error" in chosenQuestions)
    return wrong(fields.questions, chosenQuestions);
  const numbers = learners.map(({ number }) => number);
  const chosenNumbers = typed.learners === undefined ? null : learnersIn(typed.learners, numbers);
  if (chosenNumbers && "error" in chosenNumbers) return wrong(fields.learners, chosenNumbers);
  return {
    questions: chosenQuestions,
    learners:
      chosenNumbers &&
      learners.flatMap(({ id, number }) => (chosenNumbers.includes(number) ? id : [])),
  };
}

/** Draws the learners, at least one, whose proposals are to be hidden. Returns their ids. */
function drawBlind({ learners }: PreparedClass, share: number): number[] {
  const undrawn = learners.map(({ id }) => id);
  const count = Math.max(1, Math.round(undrawn.length * share));
  return Array.from({ length: count }, () => undrawn.splice(randomInt(undrawn.length), 1)[0]!);
}

/**
 * Ends the links of a class. Returns the markers' names.
 * @param markerOrId a marker's name or a link's id; undefined for all links
 */
export async function closeMarking(
  { store, now, by }: Pick<Work, "store" | "now" | "by">,
  { assessmentId, reference }: ClassWork,
  markerOrId: string | number | undefined,
): Promise<string[]> {
  const closed = await store.closeMarkingLinks(assessmentId, markerOrId, now);
  if (closed.length > 0) await store.openAudit("marking closed", now, reference, by);
  return closed;
}

/**
 * Closes a marker's link, and opens a link for another marker to its questions and learners with open answers. A
 * repetition with the same token changes nothing.
 */
export async function handOver(
  work: Work,
  classWork: ClassWork,
  typed: Pick<TypedMarker, "marker" | "email"> & { linkId: number },
  token = newToken(256),
): Promise<OpenedMarking | WorkError> {
  const { store, config, now } = work;
  const person = readPerson(typed);
  if (isWorkError(person)) return person;
  const { marker, email: recipient } = person;
  const origin = linkOrigin(config);
  if (!origin) return noPublicUrl();
  const request = await requestOfClass(work, classWork);
  const links = await store.listMarkingLinks(classWork.assessmentId, now);
  const link = links.find(({ id }) => id === typed.linkId);
  if (!link) return closedBefore;
  const url = `${origin}${markingPath}?link=${token}`;
  const expiresAt = new Date(link.expiresAt);
  const mail = mailOf(work, request, { marker, recipient, expiresAt, url });
  const { linkId } = typed;
  const handed = { linkId, token, marker };
  const outcome = await store.handOverMarking(classWork.assessmentId, handed, mail, now);
  if (outcome === "closed") return closedBefore;
  if (outcome === "nothing left") {
    return workError("changed", "Everything that this link opens is decided. Nothing was changed.");
  }
  if (outcome === "stored") {
    await store.openAudit("marking handed over", now, classWork.reference, work.by);
  }
  return { marker, url, expiresAt };
}

const closedBefore = workError("changed", "This link is closed already. Nothing was changed.");
