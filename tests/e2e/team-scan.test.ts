/** A scan on the team's page, sent by script. */
import assert from "node:assert/strict";
import { after, type TestContext, test } from "node:test";
import { scanPartBytes } from "../../app/domain/scan-upload.ts";
import { closeBrowser, openPage, violations } from "../support/browser.ts";
import { teamToken, uploadSubmissions } from "../support/results.ts";
import { sharedServer } from "../support/server.ts";

after(closeBrowser);

/** Opens the team's page of a new class, with a name typed. `sendScan` chooses a scan and sends it. */
async function openTeamPage(t: TestContext) {
  const server = await sharedServer();
  const reference = await uploadSubmissions(server, ["a.txt"]);
  const page = await openPage(t, {}, /net::ERR|422/);
  const link = `${server.url}/team?link=${await teamToken(server, reference)}`;
  await page.goto(link, { waitUntil: "networkidle" });
  await page.locator("#class-scan-by").fill("L. Lead");
  const sendScan = async (buffer: Buffer) => {
    await page.setInputFiles("#scan", { name: "scan.pdf", mimeType: "application/pdf", buffer });
    await page.getByRole("button", { name: "Send the scan" }).click();
  };
  return { page, sendScan };
}

test("a scan that is empty or no PDF is rejected, and another one can be sent", async (t) => {
  const { page, sendScan } = await openTeamPage(t);
  await sendScan(Buffer.alloc(0));
  await page.getByText("scan.pdf is empty").waitFor();
  await sendScan(Buffer.from("no PDF"));
  await page.getByText("This is not a PDF").waitFor();
  assert.deepEqual(await violations(page), []);
});

test("the upload of a scan goes on where the line was cut", async (t) => {
  const { page, sendScan } = await openTeamPage(t);
  const sent: string[] = [];
  let isCut = false;
  await page.route("**/api/team/*/scan", async (route) => {
    const number = route.request().headers()["file-number"];
    if (number === "1" && !isCut) {
      isCut = true;
      return await route.abort("connectionreset");
    }
    if (number) sent.push(number);
    return await route.continue();
  });
  const scan = Buffer.alloc(2 * scanPartBytes + 5, 10);
  scan.write("%PDF-1.4\n");
  await sendScan(scan);
  await page.getByText("The scan has arrived").waitFor();
  assert.deepEqual(sent, ["0", "1", "2"], "nothing was sent twice");
  await page.getByText("scan.pdf").first().waitFor();
});
