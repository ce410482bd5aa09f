/** Marking desks of a running server. */
import "./drizzle.ts";
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import Sqlite from "better-sqlite3";
import type { NewMarkingLink, PaperQuestion } from "../../app/domain/desk.ts";
import type { RenderedFile } from "../../app/domain/page-image.ts";
import type { Operations } from "../../db/store.ts";
import { formOf, postForm, wordsOf } from "./html-forms.ts";
import { type ClassFiles, uploadSubmissions } from "./results.ts";
import { sendRequest } from "./send-request.ts";
import type { Server } from "./server.ts";

/** Uses the operations of the store on the file of a running server. */
export async function withStore<Result>(
  { databaseFile }: Server,
  use: (store: Operations) => Promise<Result>,
): Promise<Result> {
  const { Connection, operationsOver } = await import("../../db/sqlite/connection.ts");
  const connection = new Connection(new Sqlite(databaseFile, { timeout: 60_000 }));
  try {
    return await use(operationsOver(connection));
  } finally {
    connection.close();
  }
}

export const paper: PaperQuestion[] = [
  {
    questionNumber: "1.1",
    totalMarks: 3,
    description: "Names three adaptations",
    memo: "leaves; roots",
  },
  { questionNumber: "1.2", totalMarks: 5, description: "Explains one of them", memo: "" },
];

/** A white picture of 11 by 15 pixels, as lossless WebP. */
export const webp = Buffer.from("UklGRh4AAABXRUJQVlA4TBEAAAAvCoADAAfQ//73v/+BiOh/AAA=", "base64");

export const twoPages: RenderedFile = {
  kind: "pages",
  pages: [1, 2].map((page) => ({
    page,
    width: 1100,
    height: 1500,
    webp,
    ...(page === 2 && { text: "Typed & <b>", warning: "It may be empty." }),
  })),
};

/** Uploads a class, and prepares its desk. @param questions set on the desk under a link, unless the list is empty */
export async function prepareClass(
  server: Server,
  names: string[],
  questions = paper,
  files?: ClassFiles,
) {
  const reference = await uploadSubmissions(server, names, files);
  return withStore(server, async (store) => {
    const { assessmentId } = (await store.findMarkingTarget(reference))!;
    const { learners } = await store.prepareDesk(assessmentId);
    const desk = { reference, assessmentId, ids: learners.map(({ id }) => id) };
    if (questions.length > 0) {
      const token = await openLink(server, desk);
      const { paperVersion: seenVersion } = await openDesk(store, token);
      await store.setPaper(token, { title: "Plants", questions, seenVersion }, new Date());
    }
    return desk;
  });
}

/** The desk that a marking link opens. */
export async function openDesk(store: Operations, token: string) {
  const found = await store.findDesk(token, new Date());
  if ("state" in found) throw new Error(found.state);
  return found;
}

/** Stores renderings of the learners' first files; the last one is that of all learners left. Returns the files' ids. */
export const storeRenderings = (
  server: Server,
  token: string,
  renderings: RenderedFile[] = [twoPages],
) =>
  withStore(server, async (store) => {
    const { learners } = await openDesk(store, token);
    const ids = learners.map(({ files }) => files[0]!.fileId);
    for (const [index, id] of ids.entries()) {
      await store.storeRendering(id, renderings[index] ?? renderings.at(-1)!, new Date());
    }
    return ids;
  });

/** Stores two pages for each file that the server has. */
export async function storePages(server: Server): Promise<void> {
  const files = await server.query<{ id: number }>("SELECT id FROM uploaded_files");
  await withStore(server, async (store) => {
    for (const { id } of files) await store.storeRendering(id, twoPages, new Date());
  });
}

/** Adds a marking link. Returns its token. */
export async function openLink(
  server: Server,
  { assessmentId }: { assessmentId: number },
  more: Partial<NewMarkingLink> = {},
): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const now = new Date();
  const link = {
    token,
    marker: "N. Dlamini",
    questions: null,
    learners: null,
    showsNames: false,
    tolerance: null,
    expiresAt: new Date(now.getTime() + 86_400_000),
    ...more,
  };
  await withStore(server, (store) => store.addMarkingLink(assessmentId, link, undefined, now));
  return token;
}

/** Reads a page of the desk, following its redirects. */
export async function readDesk(
  server: Server,
  token: string,
  query: Record<string, string | number> = {},
) {
  const fields = Object.entries({ link: token, ...query }).map(([name, value]) => [
    name,
    `${value}`,
  ]);
  let path = `/marking?${new URLSearchParams(fields)}`;
  for (;;) {
    const response = await sendRequest(server.url, path);
    const { location } = response.headers;
    if (!location) return { ...response, path, html: response.bytes.toString() };
    path = location;
  }
}

/** Types the lines of the questions; then posts the form that comes back, once with each of `more`. */
export async function typeQuestions(
  server: Server,
  token: string,
  lines: string,
  more: Record<string, string>[] = [],
) {
  const { html } = await readDesk(server, token, { view: "questions" });
  let posted = await postForm(server.url, formOf(html, "questions"), "questions", { lines });
  const pages: string[] = [];
  for (const filled of more) {
    assert.equal(posted.status, 409);
    pages.push(wordsOf(posted.bytes.toString()));
    const form = formOf(posted.bytes.toString(), "questions");
    posted = await postForm(server.url, form, "questions", filled);
  }
  return { status: posted.status, text: wordsOf(posted.bytes.toString()), pages };
}
