/**
 * A lead without JavaScript, in the network namespace it is started in: opens the desk from the team's page, types the
 * questions that it is given, marks every answer and publishes.
 *
 *   node start-marker.ts TOKEN QUESTIONS HOST
 */
import { formsIn, type HtmlForm } from "../support/html-forms.ts";
import { getWithHost, postOf, sendRequest } from "../support/send-request.ts";

const [token, questions, host] = process.argv.slice(2) as [string, string, string];
const server = "http://127.0.0.1:3000";

const formAt = async (address: string, button: string): Promise<HtmlForm | undefined> => {
  let path = address;
  for (;;) {
    const { headers, body } = await getWithHost(server, path, host);
    if (headers.location) path = headers.location;
    else {
      return formsIn(body).find(({ buttons }) => buttons.some(({ value }) => value === button));
    }
  }
};

const post = async (
  { action, fields }: HtmlForm,
  filled: Record<string, string>,
  expected = 303,
): Promise<string> => {
  const body = new URLSearchParams({ ...fields, ...filled }).toString();
  const { headers, ...options } = postOf(body)!;
  // A browser sends no fragment.
  const { status, bytes } = await sendRequest(server, action.replace(/#.*/, ""), {
    ...options,
    headers: { ...headers, Host: host, Origin: `https://${host}` },
  });
  if (status !== expected) throw new Error(`${action}: ${status}`);
  return bytes.toString();
};

const act = async (intent: string) =>
  await post((await formAt(`/team?link=${token}`, intent))!, { intent, by: "L. Lead" }, 200);
const [, desk] = /href="[^"]+(\/marking\?link=[\w-]+)"/.exec(await act("markers-desk"))!;
await post((await formAt(`${desk}&view=questions`, "questions"))!, {
  intent: "questions",
  title: "Plants",
  lines: questions,
});
let marked = 0;
for (;;) {
  const form = await formAt(`${desk}&view=mark`, "save");
  if (!form) break;
  await post(form, { intent: "save", marks: "2", comment: "" });
  marked += 1;
}
await act("publish-now");
process.stdout.write(`${marked}\n`);
