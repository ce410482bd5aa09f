/** Six markers at once while the server is killed again and again. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openLink, paper, prepareClass } from "../support/desk.ts";
import { formsIn, postForm } from "../support/html-forms.ts";
import { sendRequest } from "../support/send-request.ts";
import { newFolder, startServer } from "../support/server.ts";

/** The default, which one address must not meet. */
const env = { RUBRICON_POSTS_PER_10_MINUTES: "60" };
const kills = 10;
const learners = 40;
const markers = ["A. One", "B. Two", "C. Three", "D. Four", "E. Five", "F. Six"];
/** Eight questions. */
const questions = Array.from({ length: 8 }, (_, index) => ({
  ...paper[0]!,
  ...{ questionNumber: String(index + 1), totalMarks: 10 },
}));

/** An answer that a page has confirmed. */
interface Confirmed {
  answer: string;
  marks: number;
  marker: string;
}

test("six markers behind one address decide every answer once, under their names, through ten kills", async (t) => {
  const folder = newFolder(t);
  let server = await startServer(t, { folder, env });
  const names = Array.from({ length: learners }, (_, index) => `${index + 1}.txt`);
  const desk = await prepareClass(server, names, questions);
  const confirmed: Confirmed[] = [];
  let working = markers.length;
  const tokens: string[] = [];
  for (const marker of markers) tokens.push(await openLink(server, desk, { marker }));
  const work = markers.map(async (marker, index) => {
    await markAll(() => server.url, { token: tokens[index]!, marker, confirmed });
    working -= 1;
  });
  let killed = 0;
  while (working > 0 && killed < kills) {
    await new Promise((resolve) => setTimeout(resolve, 100 + Math.random() * 400));
    await server.stop("SIGKILL");
    killed += 1;
    server = await startServer(t, { folder, env });
  }
  await Promise.all(work);
  t.diagnostic(`${confirmed.length} answers confirmed over ${killed} kills`);
  assert.equal(killed, kills, "all kills were before the end");
  const rows = await server.query<Record<string, unknown>>(
    "SELECT submission_id, question_number, to_marks, decided_by FROM decisions",
  );
  const texts = rows.map((row) => Object.values(row).join(" ")).sort();
  assert.equal(texts.length, learners * questions.length, "every answer is decided once");
  for (const { answer, marks, marker } of confirmed) {
    assert.ok(texts.includes(`${answer} ${marks} ${marker}`), `${answer} ${marks} ${marker}`);
  }
});

/** Marks until nothing is left, and sends what was not confirmed again. */
async function markAll(
  current: () => string,
  { token, marker, confirmed }: { token: string; marker: string; confirmed: Confirmed[] },
): Promise<void> {
  let next = `/marking?link=${token}&view=mark`;
  for (;;) {
    const page = await persistently(current, (url) => sendRequest(url, next));
    if (page.headers.location) {
      next = page.headers.location;
      continue;
    }
    assert.equal(page.status, 200, page.bytes.toString());
    const form = formsIn(page.bytes.toString()).find(({ action }) => action.includes("view=mark"));
    if (!form) {
      if (/>(\d+) of \1 decided/.test(page.bytes.toString())) return;
      // Other markers have the rest open.
      await new Promise((resolve) => setTimeout(resolve, 200));
      next = `/marking?link=${token}&view=mark`;
      continue;
    }
    const { searchParams } = new URL(form.action, "http://site.invalid");
    const marks = (Number(searchParams.get("learner")) + Number(form.fields.question)) % 10;
    const saved = await persistently(current, (url) =>
      postForm(url, form, "save", { marks: String(marks) }),
    );
    // A 409: it is another marker's already.
    assert.ok(saved.status === 303 || saved.status === 409, String(saved.status));
    const answer = `${searchParams.get("learner")} ${form.fields.question}`;
    if (saved.status === 303) confirmed.push({ answer, marks, marker });
    next = saved.headers.location ?? `/marking?link=${token}&view=mark`;
  }
}

type Response = Awaited<ReturnType<typeof sendRequest>>;

/** Sends a request until a server responds; it is killed now and then. */
async function persistently(
  current: () => string,
  send: (url: string) => Promise<Response>,
): Promise<Response> {
  for (;;) {
    const response = await send(current()).catch(() => undefined);
    if (response && response.status < 500) return response;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
