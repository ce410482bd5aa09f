/**
 * A marker without JavaScript, in the network namespace it is started in: opens a marking link, types the questions that
 * it is given and marks every answer.
 *
 *   node start-marker.ts LINK QUESTIONS
 */
import { formsIn, type HtmlForm } from "../support/html-forms.ts";
import { getWithHost, postOf, sendRequest } from "../support/send-request.ts";

const [link, questions] = process.argv.slice(2) as [string, string];
const { host, pathname, search } = new URL(link);
const server = "http://127.0.0.1:3000";

const formWith = async (view: string, button: string): Promise<HtmlForm | undefined> => {
  let path = `${pathname}${search}&view=${view}`;
  for (;;) {
    const { headers, body } = await getWithHost(server, path, host);
    if (headers.location) path = headers.location;
    else {
      return formsIn(body).find(({ buttons }) => buttons.some(({ value }) => value === button));
    }
  }
};

const post = async ({ action, fields }: HtmlForm, filled: Record<string, string>) => {
  const body = new URLSearchParams({ ...fields, ...filled }).toString();
  const { headers, ...options } = postOf(body)!;
  const { status } = await sendRequest(server, action, {
    ...options,
    headers: { ...headers, Host: host, Origin: `https://${host}` },
  });
  if (status !== 303) throw new Error(`${action}: ${status}`);
};

await post((await formWith("questions", "questions"))!, {
  ...{ intent: "questions", title: "Plants", lines: questions },
});
let marked = 0;
for (;;) {
  const form = await formWith("mark", "save");
  if (!form) break;
  await post(form, { intent: "save", marks: "2", comment: "" });
  marked += 1;
}
process.stdout.write(`${marked}\n`);
