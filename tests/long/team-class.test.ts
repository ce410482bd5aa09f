/**
 * A class from the upload to the school's filled sheet by two people who have only the emails that they get: links of
 * emails, links and forms of pages, no command, no script.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { freePort } from "../support/free-port.ts";
import { formOf, postForm } from "../support/html-forms.ts";
import { startMailServer } from "../support/mail-server.ts";
import { type Leaf, scanOf } from "../support/paper.ts";
import { team, uploadSubmissions } from "../support/results.ts";
import { startServer, until } from "../support/server.ts";
import { txt } from "../support/upload.ts";

const endings = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcd";
const classOf = (size: number) =>
  Array.from({ length: size }, (_, index) => ({
    number: String(24_001 + index),
    name: `Learner${endings[index]} Example`,
  }));

/** Of 10 and of 15 marks. */
const marksOf = (index: number) => [index % 11, (index * 3) % 16];

/** A server, a mail server, and what the lead and the educator press. */
async function twoPeople(t: TestContext, files: string[]) {
  const mail = await startMailServer(t);
  const port = String(await freePort());
  const url = `http://localhost:${port}`;
  const server = await startServer(t, {
    env: { ...team, PORT: port, RUBRICON_MAIL_URL: mail.url, RUBRICON_PUBLIC_URL: url },
  });
  const reference = await uploadSubmissions(server, files, {
    bytesOf: (name) => txt(`Answers of ${name}`),
    renders: true,
  });
  const presses = { links: 0, forms: 0 };
  /** The link of the next email with a path. */
  const emailed = async (path: string) => {
    const start = `${url}${path}`;
    const text = await until(() => {
      const at = mail.emails.findIndex((one) => one.text?.includes(start));
      return at >= 0 ? mail.emails.splice(at, 1)[0]!.text : undefined;
    }, 300_000);
    return /[^\s#]*/.exec(text.slice(text.indexOf(start)))![0];
  };
  const open = async (link: string): Promise<Response> => {
    presses.links += 1;
    const response = await fetch(new URL(link.replaceAll("&amp;", "&"), url));
    assert.equal(response.status, 200, link);
    return response;
  };
  /** Presses a button of a page. */
  const press = async (
    html: string,
    intent: string,
    filled: Record<string, string | Blob> = {},
  ) => {
    presses.forms += 1;
    const form = formOf(html, intent);
    const body = new FormData();
    for (const [name, value] of Object.entries({ ...form.fields, ...filled, intent })) {
      if (typeof value === "string") body.set(name, value);
      else body.set(name, value, "Term 4.csv");
    }
    for (const name of ["listFile", "scan", "sheet"]) {
      if (!(filled[name] instanceof Blob)) body.delete(name);
    }
    const response = await fetch(new URL(form.action, url), { method: "POST", body });
    const text = await response.text();
    assert.equal(
      response.status,
      200,
      `${intent}: ${text.slice(text.indexOf("role=")).slice(0, 300)}`,
    );
    return text;
  };
  /** Presses a button of the desk, which leads to its next page. */
  const pressDesk = async (html: string, intent: string, filled: Record<string, string>) => {
    const { status, headers, bytes } = await postForm(url, formOf(html, intent), intent, filled);
    assert.equal(status, 303, `${intent}: ${bytes.toString().slice(0, 300)}`);
    return await (await fetch(new URL(headers.location!, url))).text();
  };
  return { url, reference, presses, emailed, open, press, pressDesk };
}

type People = Awaited<ReturnType<typeof twoPeople>>;

/** Names the class. */
async function storeList({ press }: People, page: string, learners: ReturnType<typeof classOf>) {
  const list = ["Number,Name", ...learners.map(({ number, name }) => `${number},${name}`)].join(
    "\n",
  );
  const boxes = { adds: "on", removes: "on" };
  const plan = await press(page, "class-preview", { list, by: "L. Lead", ...boxes });
  return await press(plan, "class-store");
}

/** Sets the questions, marks every answer, publishes, signs, and has the school's sheet filled in. */
async function markAndFill(people: People, page: string, learners: ReturnType<typeof classOf>) {
  const { presses, emailed, open, press, pressDesk } = people;
  const opened = await press(page, "markers-desk", { by: "L. Lead" });
  const [, deskLink] = /href="([^"]+\/marking\?link=[^"]+)"/.exec(opened)!;
  const desk = await (await open(deskLink!)).text();
  const toQuestions =
    /href="([^"]+view=questions[^"]*)"/.exec(desk)?.[1] ?? `${deskLink}&view=questions`;
  const questions = await (await open(toQuestions)).text();
  const lines = "1 | 10 | Name the parts | leaves\n2 | 15 | Explain | roots";
  presses.forms += 1;
  await pressDesk(questions, "questions", { title: "Plants", lines });
  let html = await (await open(`${deskLink}&view=mark`)).text();
  let given = 0;
  for (; given < learners.length * 2; given += 1) {
    const shown = /<h2 id="answer"[^>]*>(.*?)<\/h2>/s.exec(html)![1]!.replace(/<[^>]*>/g, "");
    const index = learners.findIndex(
      ({ number, name }) => shown.includes(number) || shown.includes(name),
    );
    const [, question] = /question (\d)/.exec(shown) ?? [];
    assert.ok(index >= 0 && question, shown);
    html = await pressDesk(html, "save", { marks: String(marksOf(index)[Number(question) - 1]) });
  }
  const markedPage = await (await open(page.match(/action="(\/team\?link=[\w-]+)/)![1]!)).text();
  const preview = /href="([^"]+view=preview)"/.exec(markedPage)![1]!;
  assert.match(await (await open(preview)).text(), /Plants/);
  await press(markedPage, "publish-now", { by: "L. Lead" });
  const results = await (await open(await emailed("/?results="))).text();
  presses.forms += 1;
  const signed = await pressDesk(results, "sign", { name: "T. Example" });
  assert.match(signed, /T\. Example/);
  const signedPage = await (await open(page.match(/action="(\/team\?link=[\w-]+)/)![1]!)).text();
  const row = (marks: (index: number) => number | string) =>
    ["Student number;Name;Plants"]
      .concat(learners.map(({ number, name }, index) => `${number};${name};${marks(index)}`))
      .join("\r\n");
  const sheet = new Blob([row(() => "")]);
  const filled = await press(signedPage, "publish-fill", { sheet, by: "L. Lead" });
  const [, base64] = /href="data:[^,"]+,([^"]+)" download="Term 4 - filled.csv"/.exec(filled)!;
  presses.links += 1;
  const expected = row((index) => marksOf(index).reduce((sum, one) => sum + one));
  assert.equal(Buffer.from(base64!, "base64").toString(), expected);
  return given;
}

const report = (t: TestContext, { presses }: People, given: number, started: number) =>
  t.diagnostic(
    `${presses.links} links and ${presses.forms} forms beside ${given} marks, ${((performance.now() - started) / 60_000).toFixed(1)} minutes`,
  );

test("two people with their emails take a class of 30 files to the school's filled sheet", async (t) => {
  const started = performance.now();
  const learners = classOf(30);
  const people = await twoPeople(
    t,
    learners.map(({ name }) => `${name}.txt`),
  );
  const page = await (await people.open(await people.emailed("/team"))).text();
  const named = await storeList(people, page, learners);
  report(t, people, await markAndFill(people, named, learners), started);
});

test("two people with their emails take a class of 12 on paper to the school's filled sheet", async (t) => {
  const started = performance.now();
  const learners = classOf(12);
  const people = await twoPeople(t, ["class.txt"]);
  const { open, press } = people;
  const link = await people.emailed("/team");
  const named = await storeList(people, await (await open(link)).text(), learners);
  const sheets = /href="([^"]+\/sheets\.pdf)"/.exec(named)![1]!;
  const pdf = Buffer.from(await (await open(sheets)).arrayBuffer());
  const numbers = learners.map(({ number }) => number);
  const stack = numbers.flatMap((number, index): Leaf[] => [
    `#${number}`,
    `${index}.1`,
    `${index}.2`,
  ]);
  const scan = await scanOf(stack, { sheets: pdf, numbers, dpi: 150 });
  await press(named, "class-scan", { scan: new Blob([new Uint8Array(scan)]), by: "L. Lead" });
  const cut = await until(async () => {
    const html = await (await fetch(link)).text();
    return html.includes("12 scripts, 0 problem pages") ? html : undefined;
  }, 300_000);
  report(t, people, await markAndFill(people, cut, learners), started);
});
