/** What the intake decides about a post, and that each staged file has one fate. */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import type { Outcome } from "../app/domain/problem.ts";
import type { FormName } from "../app/domain/request.ts";
import type { StagedFile } from "../app/domain/upload.ts";
import { forms } from "../app/forms/all-forms.ts";
import { sampleTexts } from "../app/forms/samples.ts";
import { type Circumstances, decide, type PostDecision } from "../app/server/intake/decide.ts";
import type { IntakeDependencies, Post } from "../app/server/intake/intake.ts";
import { emptyForm, type PostedForm } from "../app/server/intake/posted-form.ts";
import { receive } from "../app/server/intake/receive.ts";
import { DraftLimit } from "../app/server/intake/staging.ts";
import { validateTexts } from "../app/server/intake/validate-texts.ts";
import { Rejection } from "../app/server/rejection.ts";
import { FilesGone, Unavailable } from "../db/errors.ts";
import type { Store } from "../db/store.ts";
import { contactTyped } from "./support/forms.ts";
import { contact, threeFiles, txt, uploadForm } from "./support/upload.ts";

const staged = (id: number, field: string, size = 100): StagedFile => ({
  id,
  field,
  name: `${id}.txt`,
  size,
  sha256: "",
  position: null,
});
const questions = staged(1, "questionsFile");
const rubric = staged(2, "rubricFile");
const submission = staged(3, "submissionFiles");
const three = [submission, rubric, questions];

const draftOf = (...files: StagedFile[]) => ({
  token: "token",
  draft: { id: 7, files, reference: null },
});
const uploadOf = (...files: StagedFile[]): Partial<PostedForm> => ({
  draft: draftOf(...files).draft,
  endsUpload: true,
  areFilesGone: true,
});
const wrongEmail = { typed: { ...contact, email: "wrong" } };
const fileErrors = { submissionFiles: ["4.pdf: This is not a PDF file"] };
const failure = new Rejection(413, "too_large", "Together the files are too large.");

/** A decision as text, such as "accept 1 2 3", "reject code" or "return code, keep 3, remove 1, show 2 3". */
function inShort(decision: PostDecision): string {
  const ids = (files: { id: number }[]) => files.map(({ id }) => id).join(" ");
  switch (decision.kind) {
    case "accept":
      return `accept ${ids(Object.values(decision.files).flat())}`.trim();
    case "reject":
      return `reject ${(decision.error as Rejection).code}`;
    case "return form": {
      const { problem, draft } = decision;
      const plan = draft && [
        draft.keep.length > 0 && `keep ${ids(draft.keep)}`,
        draft.remove.length > 0 && `remove ${draft.remove.join(" ")}`,
        draft.files.length > 0 && `show ${ids(draft.files)}`,
      ];
      return [`return ${problem?.code ?? "as it is"}`, ...(plan ?? [])].filter(Boolean).join(", ");
    }
  }
}

const byApi = { from: "api" } as const;
const quick = { asksAgain: true };
const cancelled = { isCancelled: true };
const anew = { files: three };
const remove = { removals: ["2"], removedIds: [2] };
const removesFourth = { removals: ["4"], removedIds: [4] };
const otherKind = { typed: { ...contactTyped, requestType: "x" } };
const withoutMemo = { files: [staged(1, "assessmentQuestions"), staged(2, "gradingRubric")] };
const fourth = staged(4, "submissionFiles");
const replaced = { files: [staged(9, "rubricFile")], removedIds: [2] };

const keepAll = "keep 3 2 1, show 1 2 3";

type Case = [
  what: string,
  read: Partial<PostedForm>,
  decision: string,
  circumstances?: Partial<Circumstances>,
];

const cases: Partial<Record<FormName, Case[]>> = {
  contact: [
    ["a message", {}, "accept"],
    ["a message with a wrong address", wrongEmail, "return invalid_fields"],
    ["an unknown kind of message", otherKind, "return invalid_fields"],
    ["a message of a client that has left", {}, "accept", cancelled],
    ["a quick message", {}, "return too_quick", quick],
    ["a quick, wrong message", wrongEmail, "return invalid_fields", quick],
    ["a body that was too large", { failure }, "reject too_large"],
  ],
  "demo-request": [["a demo request", {}, "accept"]],
  subscription: [["a subscription", {}, "accept"]],
  "rubric-request": [["a rubric without the optional memo", withoutMemo, "accept 1 2"]],
  "demo-upload": [
    ["an upload", anew, "accept 1 2 3"],
    ["an upload of a draft", draftOf(...three), "accept 1 2 3"],
    [
      "a draft and a new file",
      { ...draftOf(questions, rubric), files: [submission] },
      "accept 1 2 3",
    ],
    ["a replaced file", { ...draftOf(...three), ...replaced }, "accept 1 9 3"],
    ["a quick upload", anew, `return too_quick, ${keepAll}`, quick],
    ["an upload that was cancelled", anew, "reject cancelled", cancelled],
    [
      "an invalid upload that was cancelled",
      { files: [rubric] },
      "return missing_files, keep 2, show 2",
      cancelled,
    ],
    ["an upload that was cut short", { ...anew, failure }, "reject too_large"],

    ["an upload without files", {}, "return missing_files"],
    [
      "an upload with one file missing",
      { files: [questions, submission] },
      "return missing_files, keep 1 3, show 1 3",
    ],
    ["an upload with an invalid file", { ...anew, fileErrors }, `return invalid_files, ${keepAll}`],
    [
      "an upload whose only submission is invalid",
      { files: [questions, rubric], fileErrors },
      "return invalid_files, keep 1 2, show 1 2",
    ],
    [
      "an upload with a wrong address",
      { ...anew, ...wrongEmail },
      `return invalid_fields, ${keepAll}`,
    ],
    ["a wrong address by API", { ...anew, ...wrongEmail }, "return invalid_fields", byApi],

    [
      "Remove",
      { ...draftOf(...three), ...remove, ...wrongEmail },
      "return as it is, remove 2, show 1 3",
    ],
    ["Remove of the last file", { ...draftOf(rubric), ...remove }, "return as it is, remove 2"],
    ["Remove pressed twice", { ...draftOf(questions), removals: ["2"] }, "return as it is, show 1"],
    [
      "Remove with an invalid file",
      { ...draftOf(...three), ...remove, fileErrors },
      "return invalid_files, remove 2, show 1 3",
    ],
    [
      "a removal by API is an upload without that file",
      { ...draftOf(...three, fourth), ...removesFourth },
      "accept 1 2 3",
      byApi,
    ],

    [
      "an upload without files that it counts on",
      { ...uploadOf(...three), files: [fourth] },
      "return files_gone",
      byApi,
    ],
    ["an expired draft", { token: "gone" }, "return missing_files"],
    [
      "an expired draft and all files anew",
      { token: "gone", ...anew },
      `return files_gone, ${keepAll}`,
    ],
    [
      "a replacement for a file in no draft",
      { ...anew, areFilesGone: true },
      `return files_gone, ${keepAll}`,
    ],
    ["Remove in an expired draft", { token: "gone", removals: ["2"] }, "return missing_files"],
  ],
};

for (const [name, ofForm] of Object.entries(cases)) {
  for (const [what, read, expected, circumstances] of ofForm) {
    test(`decide: ${what}: ${expected}`, () => {
      const form = forms[name as FormName];
      const post = { ...emptyForm(), typed: sampleTexts(form, new Date()), ...read };
      const decision = decide(form, post, validateTexts(form, post.typed), {
        from: "page",
        isCancelled: false,
        asksAgain: false,
        ...circumstances,
      });
      assert.equal(inShort(decision), expected);
    });
  }
}

/** A store that records what becomes of the files staged in it. */
function recordingStore(overrides: Partial<Store> = {}) {
  const calls: string[] = [];
  const list = (ids: number[]) => ids.join(" ");
  let id = 0;
  const store: Partial<Store> = {
    stageFile: async ({ field, name, bytes }) => {
      id += 1;
      return { id, field, name, size: bytes.length, sha256: `digest ${id}`, position: null };
    },
    discardStagedFiles: async (ids) => {
      calls.push(`discard ${list(ids)}`);
    },
    saveDraft: async ({ keep }) => {
      calls.push(`keep ${list(keep)}`);
      return "token";
    },
    submitRequest: async (_form, { files, reference }) => {
      const ids = Object.values(files).flatMap((all) => all.map((file) => file.id));
      calls.push(`store ${list(ids)}`);
      return { id: 1, reference };
    },
    ...overrides,
  };
  return { store: store as Store, calls };
}

/**
 * Posts an upload to the intake without a server. `slots` is what it has done with upload slots.
 * @param more.cut number of bytes that are missing at the end of the body
 */
async function post(
  form: FormData,
  overrides: Partial<Store>,
  more: Partial<Post & { cut: number }> = {},
): Promise<{ outcome: Outcome; calls: string[]; slots: string[] }> {
  const { store, calls } = recordingStore(overrides);
  const whole = new Response(form);
  const bytes = Buffer.from(await whole.arrayBuffer());
  const now = () => new Date("2026-11-22T12:00:00.000Z");
  const slots: string[] = [];
  const log = { warn() {}, error() {} };
  const outcome = await receive({
    form: forms["demo-upload"],
    post: {
      contentType: whole.headers.get("Content-Type")!,
      query: new URLSearchParams(),
      signal: new AbortController().signal,
      takeTurn: async () => () => {},
      source: Readable.from([bytes.subarray(0, bytes.length - (more.cut ?? 0))]),
      from: "page",
      length: bytes.length,
      clientAddress: "192.0.2.1",
      ...more,
    },
    dependencies: {
      writeToVisitor: async () => {},
      hasWebhook: false,
      newTeamLink: () => undefined,
      store,
      turns: {
        take: async () => {
          slots.push("taken");
          return () => {
            slots.push("free again");
          };
        },
        isCrowded: () => false,
      },
      hasFreeSpace: async () => true,
      scanner: undefined,
      maxFileBytes: 1_000_000,
      draftLimit: new DraftLimit(1_000_000),
      acceptsTests: false,
      minElapsedMs: 0,
      brand: { name: "The product" } as IntakeDependencies["brand"],
      now,
      log: log as unknown as IntakeDependencies["log"],
    },
  });
  return { outcome, calls, slots };
}

const fails = (error: Error) => async () => {
  throw error;
};
const extraRubric = { field: "rubricFile" as const, name: "second.txt", bytes: txt("2 marks") };
const wrongForm = () => uploadForm(threeFiles(), { ...contact, email: "wrong" });

const onSubmit = (submitRequest: Store["submitRequest"]) => ({ submitRequest });
const findsDuplicate = onSubmit(async () => ({ id: 9, reference: "earlier" }));
const cannotSave = { saveDraft: fails(new Unavailable("locked")) };
const oneTooMany = () => uploadForm([...threeFiles(), extraRubric]);
const discardAll = "discard 1 2 3";

const fates: [
  what: string,
  form: () => FormData,
  status: number | undefined,
  call: string,
  store?: Partial<Store>,
  more?: Partial<Post & { cut: number }>,
][] = [
  ["an accepted upload", uploadForm, undefined, "store 1 2 3"],
  ["a duplicate", uploadForm, undefined, discardAll, findsDuplicate],
  ["a store that throws", uploadForm, 500, discardAll, onSubmit(fails(new Error("broken")))],
  ["a full disk", uploadForm, 503, discardAll, onSubmit(fails(new Unavailable("full")))],
  ["an upload of gone files", uploadForm, 422, discardAll, onSubmit(fails(new FilesGone("gone")))],
  ["a page's wrong address", wrongForm, 422, "keep 1 2 3"],
  ["a wrong address by API", wrongForm, 422, discardAll, {}, byApi],
  ["a draft that cannot be saved", wrongForm, 503, discardAll, cannotSave],
  ["a file too many", oneTooMany, 422, "discard 1 2 3 4", {}, byApi],
  ["a body that is cut short", uploadForm, 400, "discard 1 2", {}, { cut: 10 }],
];

for (const [what, form, status, expected, store = {}, more = {}] of fates) {
  test(`the staged files of ${what}: ${expected}`, async () => {
    const { outcome, calls } = await post(form(), store, more);
    assert.equal(outcome.received ? undefined : outcome.problem?.status, status);
    assert.deepEqual(calls, [expected]);
  });
}

test("the slot of an upload is free again, whatever becomes of its files", async () => {
  for (const [what, form, , , store = {}, more = {}] of fates) {
    const { slots } = await post(form(), store, more);
    assert.deepEqual(slots, ["taken", "free again"], what);
  }
});

test("an upload that arrived whole and becomes no request comes back with what was typed", async () => {
  for (const [what, form, status, , store = {}, more = {}] of fates) {
    if (!status || more.cut) continue;
    const { outcome } = await post(form(), store, more);
    assert.equal(outcome.received ? "received" : outcome.typed.name, contact.name, what);
  }
});
