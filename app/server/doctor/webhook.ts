import type { EmailCounts } from "#db/engine.ts";
import { program } from "../../brand.ts";
import { counted } from "../../domain/counted.ts";
import type { Settings } from "../config/settings.ts";
import { variableOf } from "../config/settings-table.ts";
import { maxPendingEmailMs } from "../http/health.ts";
import { checkReceiver } from "../webhook/webhook-request.ts";
import { type Finding, fail, ok, warn } from "./finding.ts";

const check = "webhook";

/** Asks the receiver of webhooks, if one is set, for any response; sends no webhook. */
export async function checkWebhook({ webhook }: Settings): Promise<Finding[]> {
  if (!webhook) return [];
  const findings: Finding[] = [];
  if (webhook.url.startsWith("http:") && !isLoopback(webhook.url)) {
    const remedy = `use https:// in ${variableOf("WEBHOOK_URL")}, or keep it inside a network of your own`;
    findings.push(warn(check, "references are sent unencrypted", remedy));
  }
  try {
    await checkReceiver(webhook);
    return [...findings, ok(check, "the receiver responds")];
  } catch (error) {
    const remedy = `check that it runs, and that ${variableOf("WEBHOOK_URL")} has its address; webhooks wait in the outbox meanwhile`;
    return [...findings, fail(check, (error as Error).message, remedy)];
  }
}

const isLoopback = (url: string) =>
  /^(localhost|127(\.\d+){3}|\[::1\])$/.test(new URL(url).hostname);

/** What the outbox says of webhooks. */
export function webhookFindings(
  { failedWebhooks, oldestPendingWebhook }: EmailCounts,
  { webhook }: Settings,
  now: Date,
): Finding[] {
  const ageMs = oldestPendingWebhook ? now.getTime() - Date.parse(oldestPendingWebhook) : 0;
  const found: Finding[] = [];
  if (failedWebhooks > 0) {
    const text = `${counted(failedWebhooks, "webhook")} failed: the receiver does not know of these requests`;
    const remedy = `see the reason with ${program.command} outbox list, then run ${program.command} outbox retry or discard`;
    found.push(fail(check, text, remedy));
  }
  if (webhook && ageMs > maxPendingEmailMs) {
    const text = `the oldest has been pending for ${Math.round(ageMs / 3_600_000)} hours`;
    const remedy = `see the reason with ${program.command} outbox list; the server sends them while it runs`;
    found.push(fail(check, text, remedy));
  }
  return found;
}
