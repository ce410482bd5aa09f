import { createHash } from "node:crypto";
import { FilesGone, type Store, Unavailable } from "#db/store.ts";
import { newReference } from "#server/requests/reference.ts";
import type { NewRequest, StoredRequest } from "../../domain/new-request.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { StagedFile, UploadDraft } from "../../domain/upload.ts";
import { confirmationField, confirmedNotice } from "../../forms/confirmation.ts";
import { bytesOf } from "../../forms/files.ts";
import { columnOf, type Form } from "../../forms/form.ts";
import { replyTimeOf } from "../../forms/reply-time.ts";
import { requestEmail } from "../email/compose.ts";
import { Rejection } from "../rejection.ts";
import type { Release } from "../semaphore.ts";
import { drain, isCutOff, maxPostBytes, textPace, tooLarge, uploadPace } from "./body.ts";
import { type Classification, classify } from "./classify.ts";
import { decide, isDraftGone, type PostDecision } from "./decide.ts";
import { maxFormBytes, maxTextBytes } from "./form-body.ts";
import type { IntakeDependencies, Post } from "./intake.ts";
import { bringsFiles, emptyForm, type PostedForm, readPost } from "./posted-form.ts";
import { problemOf } from "./problems.ts";
import { type ValidatedTexts, validateTexts } from "./validate-texts.ts";

interface Receiving {
  form: Form;
  post: Post;
  dependencies: IntakeDependencies;
}

/** What became of a post. */
interface Result {
  outcome: Outcome;
  /** Staged files that neither a request nor a draft has taken. */
  unused: StagedFile[];
}

/** Equal posts within this time are one request: the visitor pressed “Send” again. */
const duplicateMs = 10 * 60_000;

/**
 * Receives a post of any form: reads it, and rejects it or stores the request in one transaction. Nothing stays of a
 * post that is not accepted, except that a form returned in its page keeps its valid files in an upload draft.
 */
export async function receive(receiving: Receiving): Promise<Outcome> {
  const { form, post, dependencies } = receiving;
  const { posted, outcome, unused } = await readAndStore(receiving);
  const discarded = [...unused, ...posted.excessFiles].map(({ id }) => id);
  if (discarded.length > 0) {
    // If this fails, the cleanup job discards the files.
    await dependencies.store.discardStagedFiles(discarded).catch(() => {});
  }
  if (posted.failure !== undefined && !isCutOff(posted.failure)) {
    const [pace, maxBytes] = bringsFiles(form, post)
      ? [uploadPace, maxPostBytes(dependencies.maxFileBytes)]
      : [textPace, 8 * maxTextBytes];
    await drain({ source: post.source, pace }, maxBytes);
  }
  return outcome.received ? outcome : { ...outcome, typed: typedToReturn(form, outcome.typed) };
}

/**
 * Returns what the visitor typed, each text cut off at twice what its field accepts, because a page is several times
 * as large as the texts in it.
 */
function typedToReturn({ fields }: Form, typed: Record<string, string>) {
  // Max characters of texts that are no fields of the form, such as those of hidden inputs.
  const maxOther = 100;
  const cut = Object.entries(typed).map(([name, text]) => [
    name,
    text.slice(0, 2 * (fields[name]?.max ?? maxOther)),
  ]);
  return Object.fromEntries(cut);
}

/** Reads a post, then stores or rejects it, in a slot if it has files. The caller drains a rejected body afterwards. */
async function readAndStore(receiving: Receiving): Promise<Result & { posted: PostedForm }> {
  const { form, post, dependencies } = receiving;
  let release: Release | undefined;
  let posted: PostedForm;
  try {
    release = await admit(receiving);
    posted = await readPost(form, post, dependencies);
  } catch (failure) {
    // The body is unread: read its texts, to return them in the form.
    const areTextsShort = bringsFiles(form, post) || post.length <= maxTextBytes;
    const areTextsReturned = post.from === "page" && areTextsShort;
    const texts = areTextsReturned
      ? await readPost(form, post, dependencies, { textsOnly: true })
      : emptyForm();
    posted = { ...texts, failure };
  }
  try {
    return { posted, ...(await decideAndStore(receiving, posted)) };
  } catch (error) {
    return { posted, ...rejectWith(error, receiving, posted) };
  } finally {
    release?.();
  }
}

/**
 * Resolves when the body may be read. For a post with files, resolves with a function that gives back its slot. Texts
 * need no slot: the limits on posts bound their memory.
 * @throws Unavailable if the disk is full, or the database or the virus scanner is gone; Rejection
 * 413 if the post is too large, 503 if no slot gets free
 */
async function admit({ form, post, dependencies }: Receiving): Promise<Release | undefined> {
  if (!(await dependencies.hasFreeSpace())) {
    throw new Unavailable("Less disk space is free than must stay free.");
  }
  if (bringsFiles(form, post)) {
    if (post.length > maxFormBytes(dependencies.maxFileBytes)) {
      throw new Rejection(413, "too_large", "Together the files are too large.");
    }
    await dependencies.scanner?.check();
    return post.place ?? (await dependencies.turns.take(post.clientAddress, post.signal));
  }
  if (post.length > maxTextBytes) throw tooLarge();
  return undefined;
}

/** Returns the result of a post that an error ended. The draft of an earlier post stays as it was. */
function rejectWith(
  error: unknown,
  { form, post, dependencies }: Receiving,
  { typed, token, draft, files }: PostedForm,
): Result {
  const problem = problemOf(error, form.messages.failed, dependencies.log);
  const keepsDraft = post.from === "page" && draft && !(error instanceof FilesGone);
  const returned = keepsDraft ? draftOf(token!, draft.files) : undefined;
  return { outcome: { received: false, problem, typed, draft: returned }, unused: files };
}

async function decideAndStore(receiving: Receiving, posted: PostedForm): Promise<Result> {
  const { form, post, dependencies } = receiving;
  const { store, now } = dependencies;
  const validated = validateTexts(form, posted.typed);
  const { isQuick, ...classification } = classify(post.query, posted.typed, dependencies);
  const fingerprint = fingerprintOf(form.name, posted, validated, classification);
  const receivedAt = now();
  const duplicatesSince = new Date(receivedAt.getTime() - duplicateMs);
  const earlier = await findEarlierRequest(store, posted, { fingerprint, since: duplicatesSince });
  if (earlier) return { outcome: { received: true, ...earlier }, unused: posted.files };
  const decision = decide(form, posted, validated, {
    from: post.from,
    isCancelled: post.signal.aborted,
    asksAgain: isQuick && classification.spam === null,
  });
  if (decision.kind === "reject") throw decision.error;
  if (decision.kind === "return form") return await returnForm(receiving, posted, decision);
  const { texts: typed, files } = decision;
  const requestType = validated.requestType || (form.impliedType ?? null);
  const accepted = { ...classification, typed, files, requestType, fingerprint, duplicatesSince };
  return await accept(receiving, posted, accepted, receivedAt);
}

/** Stores an accepted post. Writes to the visitor unless the post is suspected spam, a test or a duplicate. */
async function accept(
  { form, post, dependencies }: Receiving,
  posted: PostedForm,
  accepted: Omit<AcceptedPost, "reference" | "draft" | "noticeVersion">,
  receivedAt: Date,
): Promise<Result> {
  const { draft, endsUpload } = posted;
  const { spam, isTest } = accepted;
  const isReal = spam === null && !isTest;
  const reference = newReference();
  const request = {
    ...accepted,
    reference,
    draft: draft && { id: draft.id, isUpload: endsUpload },
    noticeVersion: form.asksToConfirm ? confirmedNotice(posted.typed) : null,
    teamLink: isReal ? dependencies.newTeamLink() : undefined,
    sendsWebhook: dependencies.hasWebhook && !isTest,
  };
  const stored = await storeRequest(dependencies, form, request, receivedAt);
  const isDuplicate = stored.reference !== reference;
  dependencies.draftLimit.release(post.upload?.token ?? posted.token ?? "");
  if (!isDuplicate && isReal) {
    const address = accepted.typed.email!;
    const client = post.clientAddress;
    await dependencies.writeToVisitor({ form: form.name, reference, address, client });
  }
  return { outcome: { received: true, ...stored }, unused: isDuplicate ? posted.files : [] };
}

/**
 * Returns a hash that is equal for posts of a form with the same texts, choices and draft token, and the same files in
 * the same order, whether sent by a page, by the API or file by file. The hash of a real post never equals that of a
 * test or of suspected spam.
 */
function fingerprintOf(
  form: string,
  post: PostedForm,
  { texts, requestType }: ValidatedTexts,
  { isTest, spam }: Pick<Classification, "isTest" | "spam">,
): string {
  const { typed, token, removals, fileParts } = post;
  const confirmation = typed[confirmationField];
  const content = { form, requestType, texts, confirmation, token, removals, fileParts };
  const identity = JSON.stringify({ ...content, isTest, isSpam: spam !== null });
  return createHash("sha256").update(identity).digest("hex");
}

/** A valid post with everything that its request needs, except the email. */
type AcceptedPost = Omit<NewRequest, "email" | "texts"> & {
  /** The validated texts, by field. */
  typed: Record<string, string | undefined>;
};

/** Stores an accepted post as a request, with the email that reports it to the team; a subscription has no email. */
function storeRequest(
  { store, brand }: IntakeDependencies,
  { name, ...form }: Form,
  { typed, ...accepted }: AcceptedPost,
  receivedAt: Date,
): Promise<StoredRequest> {
  if (name === "subscription") {
    const { reference, spam, isTest } = accepted;
    return store.subscribe({ email: typed.email!, reference, spam, isTest }, receivedAt);
  }
  const columns = Object.entries(typed).map(([field, text]) => [columnOf(form, field), text]);
  const about = { receivedAt, productName: brand.name, aim: replyTimeOf(form, brand).aim };
  const email = requestEmail(form, { ...accepted, typed }, about);
  const texts = Object.fromEntries(columns);
  return store.submitRequest(name, { ...accepted, texts, email }, receivedAt);
}

/** Returns the request that an earlier post of the same draft or upload has become; undefined if there is none. */
async function findEarlierRequest(
  store: Store,
  posted: PostedForm,
  { fingerprint, since }: { fingerprint: string; since: Date },
) {
  const { failure, endsUpload, draft } = posted;
  if (failure !== undefined) return undefined;
  // The first of two equal posts ended their draft. Posts without a draft are compared when the request is stored.
  if (isDraftGone(posted)) return await store.findDuplicate(fingerprint, since);
  const reference = endsUpload ? draft?.reference : undefined;
  return reference ? await store.findStored(reference) : undefined;
}

async function returnForm(
  { form, post, dependencies }: Receiving,
  { typed, files, token, draft }: PostedForm,
  { problem, draft: plan }: Extract<PostDecision, { kind: "return form" }>,
): Promise<Result> {
  if (!plan) {
    return { outcome: { received: false, problem, typed, draft: undefined }, unused: files };
  }
  const { store, draftLimit, now } = dependencies;
  const { keep, remove } = plan;
  const bytes = bytesOf(plan.files);
  const client = post.clientAddress;
  await draftLimit.checkRoom({ token, client, bytes }, dependencies);
  const newToken = await store.saveDraft(
    { form: form.name, draftId: draft?.id, keep: keep.map(({ id }) => id), remove },
    now(),
  );
  const draftToken = newToken ?? token!;
  draftLimit.count({ token: draftToken, form: form.name, client, bytes }, now());
  return {
    outcome: { received: false, problem, typed, draft: draftOf(draftToken, plan.files) },
    unused: files.filter((file) => !keep.includes(file)),
  };
}

const draftOf = (token: string, files: StagedFile[]): UploadDraft => ({
  token,
  files: files.map(({ id, field, name, size }) => ({ id, field, name, size })),
});
