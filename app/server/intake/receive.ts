import { FilesGone, Unavailable } from "#db/errors.ts";
import type { Store } from "#db/store.ts";
import { newReference } from "#server/reference.ts";
import type { Outcome } from "../../domain/problem.ts";
import type { StagedFile, UploadDraft } from "../../domain/upload.ts";
import { confirmationField, noticeVersions } from "../../forms/confirmation.ts";
import { type Form, hasFiles } from "../../forms/form.ts";
import type { Release } from "../fair-share.ts";
import { Rejection } from "../rejection.ts";
import { drain, isCutOff, tooLarge } from "./body.ts";
import { classify } from "./classify.ts";
import { type Decision, decide, isDraftGone } from "./decide.ts";
import { fingerprintOf } from "./fingerprint.ts";
import type { IntakeDependencies, Post } from "./post.ts";
import { problemOf } from "./problems.ts";
import { emptyPost, paceFor, type ReadPost, readPost, uploadLimits } from "./read-post.ts";
import { staleManifest } from "./resumable-upload.ts";
import type { Slot } from "./slots.ts";
import { bytesOf, draftsInUse } from "./stage-file.ts";
import { storeRequest } from "./store-request.ts";
import { maxTextBytes } from "./text-body.ts";
import { validateTexts } from "./validate-texts.ts";

/** A post on its way to a request. */
export interface Receiving {
  form: Form;
  post: Post;
  dependencies: IntakeDependencies;
  /** Called when the final transaction begins. */
  onStoring: () => void;
}

/** What became of a post. */
interface Result {
  outcome: Outcome;
  /** Staged files that neither a request nor a draft has taken. */
  unused: StagedFile[];
}

/**
 * Receives a post of any form: reads it, decides, and stores the request in one transaction. Of a
 * post that is not accepted nothing stays, except that a page's valid files become an upload draft.
 */
export async function receive(receiving: Receiving): Promise<Outcome> {
  const { form, post, dependencies } = receiving;
  const { read, outcome, unused } = await readAndStore(receiving);
  if (hasFiles(form) && !outcome.received) await limitDrafts(dependencies);
  dependencies.activePosts.delete(read);
  if (unused.length > 0) {
    // If this fails, the cleanup at the next start discards them.
    await dependencies.store.discardStagedFiles(unused.map(({ id }) => id)).catch(() => {});
  }
  if (read.failure !== undefined && !leavesBodyUnread(read.failure)) {
    const maxBytes = hasFiles(form) ? 4 * uploadLimits(form.fileFields).body : 8 * maxTextBytes;
    await drain({ source: post.source, pace: paceFor(form) }, maxBytes);
  }
  return outcome.received ? outcome : { ...outcome, typed: typedToReturn(form, outcome.typed) };
}

/** Whether the rest of a body is not worth reading. */
const leavesBodyUnread = (error: unknown) =>
  isCutOff(error) || (error instanceof Rejection && error.code === staleManifest);

/**
 * Returns what the visitor typed, each text cut off at twice what its field accepts: the whole of it
 * would become a page several times as large.
 */
function typedToReturn({ fields }: Form, typed: Record<string, string>) {
  const maxOther = 100;
  const cut = Object.entries(typed).map(([name, text]) => [
    name,
    text.slice(0, 2 * (fields[name]?.max ?? maxOther)),
  ]);
  return Object.fromEntries(cut);
}

/** Half of the room for staged files is for uploads that are arriving. */
async function limitDrafts(dependencies: IntakeDependencies): Promise<void> {
  const { store, maxStagedBytes } = dependencies;
  // If this fails, the next upload does it.
  await store.limitDrafts(maxStagedBytes / 2, draftsInUse(dependencies)).catch(() => {});
}

/** What a post holds while it is read: an upload slot, or memory for its texts. */
interface Admission {
  slot?: Slot;
  release: Release;
}

/** Draining the rest of a rejected body needs neither a slot nor memory. */
async function readAndStore(receiving: Receiving): Promise<Result & { read: ReadPost }> {
  const { form, post, dependencies } = receiving;
  let release: Release | undefined;
  let read: ReadPost;
  try {
    const admission = await admit(receiving);
    release = admission.release;
    read = await readPost(form, post, dependencies, { slot: admission.slot });
  } catch (failure) {
    // The body is unread: read its texts, to return them in the form.
    const amount = hasFiles(form) ? maxTextBytes : post.length;
    const isReturned = post.from === "page" && amount <= maxTextBytes;
    if (isReturned) release = takeTextMemory(receiving, amount);
    const texts = release
      ? await readPost(form, post, dependencies, { textsOnly: true })
      : emptyPost();
    read = { ...texts, failure };
  }
  try {
    return { read, ...(await decideAndStore(receiving, read)) };
  } catch (error) {
    return { read, ...rejectWith(error, receiving, read) };
  } finally {
    release?.();
  }
}

/**
 * Resolves when the body may be read. Only forms with files need a slot.
 * @throws Unavailable if the disk is full, or the database or the virus scanner is gone; Rejection
 * 413 if the texts are too large, 503 if there is no room for them or no slot gets free
 */
async function admit(receiving: Receiving): Promise<Admission> {
  const { form, post, dependencies } = receiving;
  if (!(await dependencies.hasFreeSpace())) {
    throw new Unavailable("Less disk space is free than must stay free.");
  }
  if (hasFiles(form)) {
    await dependencies.scanner?.check();
    const slot = await dependencies.takeSlot(post.clientAddress, post.signal);
    return { slot, release: () => slot.release() };
  }
  if (post.length > maxTextBytes) throw tooLarge();
  const release = takeTextMemory(receiving, post.length);
  if (!release) throw new Unavailable("Texts of other clients fill the memory for them.");
  return { release };
}

/** Undefined if there is no room. Disconnects the client if others need the room. */
const takeTextMemory = ({ post, dependencies }: Receiving, amount: number): Release | undefined =>
  dependencies.textMemory.take({
    client: post.clientAddress,
    amount,
    revoke: () => post.source.destroy(),
  });

/** The draft of an earlier post stays as it was. */
function rejectWith(
  error: unknown,
  { form, post, dependencies }: Receiving,
  read: ReadPost,
): Result {
  const problem = problemOf(error, form.messages.failed, dependencies.log);
  const hasDraft = post.from === "page" && read.draft && !(error instanceof FilesGone);
  const draft = hasDraft ? draftOf(read.token!, read.draft!.files) : undefined;
  return { outcome: { received: false, problem, typed: read.typed, draft }, unused: read.files };
}

/** Longer than a visitor waits before pressing “Send” again, too short to be a second request. */
const duplicateMs = 10 * 60_000;

async function decideAndStore(receiving: Receiving, read: ReadPost): Promise<Result> {
  const { form, post, dependencies } = receiving;
  const { store, draftQuota, now } = dependencies;
  const validated = validateTexts(form, read.typed);
  const { isQuick, ...classification } = classify(post.query, read.typed, dependencies);
  const fingerprint = fingerprintOf(form.name, read, validated, classification);
  const receivedAt = now();
  const duplicatesSince = new Date(receivedAt.getTime() - duplicateMs);
  if (read.failure === undefined && isDraftGone(read)) {
    // The first of two equal posts ends their draft. Others are compared in the final transaction.
    const duplicate = await store.findDuplicate(fingerprint, duplicatesSince);
    if (duplicate) return { outcome: { received: true, ...duplicate }, unused: read.files };
  }
  const earlier = await requestOfUpload(store, read);
  if (earlier) return { outcome: { received: true, ...earlier }, unused: read.files };
  const decision = decide(form, read, validated, {
    from: post.from,
    isCancelled: post.signal.aborted,
    asksAgain: isQuick && classification.spam === null,
    draftBytesLeft: draftQuota.left(post.clientAddress),
  });
  if (decision.kind === "reject") throw decision.error;
  if (decision.kind === "return form") return await returnForm(receiving, read, decision);

  receiving.onStoring();
  const reference = newReference();
  const stored = await storeRequest(
    store,
    form,
    {
      ...classification,
      reference,
      fingerprint,
      typed: decision.texts,
      requestType: validated.requestType || (form.impliedType ?? null),
      files: decision.files,
      draftId: read.draft?.id,
      isUpload: read.upload !== undefined,
      noticeVersion: form.asksToConfirm ? confirmedNotice(read.typed) : null,
      duplicatesSince,
      sendsWebhook: dependencies.hasWebhook && !classification.isTest,
    },
    { receivedAt, productName: dependencies.productName },
  );
  const isDuplicate = stored.reference !== reference;
  if (read.draft) draftQuota.release(post.uploadId ?? read.token!);
  if (!isDuplicate && classification.spam === null && !classification.isTest) {
    const address = decision.texts.email!;
    const client = post.clientAddress;
    await dependencies.writeToVisitor({ form: form.name, reference, address, client });
  }
  return { outcome: { received: true, ...stored }, unused: isDuplicate ? read.files : [] };
}

/** The notice version that the visitor agreed to, or null; an unknown version counts as none. */
const confirmedNotice = (typed: Record<string, string>) =>
  noticeVersions.find((version) => version === typed[confirmationField]) ?? null;

/** The request that an upload became by an earlier post. */
async function requestOfUpload(store: Store, { failure, upload }: ReadPost) {
  const reference = failure === undefined && upload?.before.reference;
  return reference ? await store.findStored(reference) : undefined;
}

async function returnForm(
  { form, post, dependencies }: Receiving,
  { typed, files, token, draft }: ReadPost,
  { problem, draft: plan }: Extract<Decision, { kind: "return form" }>,
): Promise<Result> {
  if (!plan) {
    return { outcome: { received: false, problem, typed, draft: undefined }, unused: files };
  }
  const { keep, remove } = plan;
  const newToken = await dependencies.store.saveDraft(
    { form: form.name, draftId: draft?.id, keep: keep.map(({ id }) => id), remove },
    dependencies.now(),
  );
  const draftToken = newToken ?? token!;
  dependencies.draftQuota.keep(draftToken, post.clientAddress, bytesOf(plan.files));
  return {
    outcome: {
      received: false,
      problem,
      typed,
      draft: draftOf(draftToken, plan.files),
    },
    unused: files.filter((file) => !keep.includes(file)),
  };
}

const draftOf = (token: string, files: StagedFile[]): UploadDraft => ({
  token,
  files: files.map(({ id, field, name, size }) => ({ id, field, name, size })),
});
