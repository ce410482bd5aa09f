import { randomUUIDv7 } from "node:crypto";
import type { Command } from "commander";
import { variableOf } from "../config/settings-table.ts";
import { CommandFailed, exitCodes } from "./exit.ts";
import type { Installation } from "./installation.ts";

export function addWebhook(root: Command, { readSettings }: Installation): void {
  root
    .command("webhook")
    .description("test the receiver of webhooks")
    .command("test")
    .description("send a signed test webhook now; succeeds only if the receiver accepts it")
    .action(async () => {
      const { webhook } = readSettings();
      if (!webhook) {
        const message = `No receiver of webhooks is set (${variableOf("WEBHOOK_URL")}).`;
        throw new CommandFailed(message, exitCodes.configuration);
      }
      const { postWebhook } = await import("../webhook/webhook-request.ts");
      const now = new Date();
      const body = JSON.stringify({ type: "test", timestamp: now.toISOString(), data: {} });
      try {
        await postWebhook(webhook, { id: randomUUIDv7(), body }, now);
      } catch (error) {
        // Without a response, as after a timeout, the failure may be temporary.
        const { message, responseCode = 500 } = error as Error & { responseCode?: number };
        const exitCode = responseCode < 500 ? exitCodes.failed : exitCodes.temporary;
        throw new CommandFailed(`The webhook was not accepted: ${message}.`, exitCode);
      }
      process.stderr.write("The webhook was accepted.\n");
    });
}
