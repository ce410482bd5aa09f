import { hourMs } from "../../domain/duration.ts";
import { mailsFiles, recipientsOf, unpublishedOf } from "../../domain/recipients.ts";
import {
  confirmationDays,
  draftMinutes,
  linkDays,
  maxSubmissions,
  receiptHours,
  renderingDays,
} from "../../domain/service.ts";
import { writesToSubscribers } from "../../domain/subscriber.ts";
import { demoUpload } from "../../forms/demo-upload.ts";
import { replyTimeOf } from "../../forms/reply-time.ts";
import type { Config } from "../config/load-config.ts";
import type { PlaceholderValues } from "./placeholders.ts";

/** Returns what placeholders and conditions in content stand for: the brand, the limits and the settings. */
export function placeholderValues(config: Config): PlaceholderValues {
  const { brand, retentionDays } = config;
  // The name is {product}, because {name} stays as it is in sample emails. The other three are no placeholders.
  const { name: product, marksFor, testimonialsTitle, testimonialsNote, ...others } = brand;
  const { slug, company, claims, pilot, afterDemo } = others;
  const texts = Object.entries(others).filter(([, value]) => typeof value === "string");
  const steps = (list: string[]) => list.map((step) => `1. ${step}`).join("\n");
  return {
    ...Object.fromEntries(Object.entries(claims).map(([name, { figure }]) => [name, figure])),
    ...Object.fromEntries(texts),
    product,
    slug,
    pilot: steps(pilot),
    afterDemo: steps(afterDemo),
    whoWeAre: company === product ? `We’re ${company}` : `${company} runs ${product}`,
    recipients: recipientsOf(brand, mailsFiles(config.mail)),
    unpublished: unpublishedOf(brand),
    retentionDays: String(retentionDays),
    maxSubmissions: String(maxSubmissions),
    maxFileMegabytes: String(config.maxFileBytes / 1_048_576),
    replyAim: replyTimeOf(demoUpload, brand).aim,
    linkDays: String(Math.min(linkDays, retentionDays)),
    receiptHours: String(receiptHours),
    draftMinutes: String(draftMinutes),
    confirmationDays: String(confirmationDays),
    renderingDays: String(renderingDays),
    integrations: brand.integrations.length > 0 ? "yes" : "",
    example: brand.isBuiltIn ? "yes" : "",
    own: marksFor === "own" ? "yes" : "",
    ...settingFacts(config),
  };
}

/** Returns facts that follow from the settings, by name: a number or "yes", or "" for a fact that does not hold. */
function settingFacts(config: Config): Record<string, string> {
  const { mail, publicUrl, backups } = config;
  const number = (n: number | undefined) => (n ? String(n) : "");
  const acknowledges = mail && config.acknowledgesRequests;
  const confirms = writesToSubscribers(config);
  const hasBackups = backups.intervalMs > 0;
  const facts = {
    mail,
    mailServer: mail && !mail.url.startsWith("file:"),
    acknowledges,
    confirms,
    visitorEmails: acknowledges || confirms,
    dropFolder: config.dropFolder,
    scanner: config.scannerAddress,
    sharedDatabase: config.databaseUrl,
    webhook: config.webhook,
    markingNetworks: config.markingNetworks,
    otherOrigins: config.formOrigins.length > 0,
    testPage: config.testForms,
    https: publicUrl?.startsWith("https:"),
    metrics: config.metricsNetworks.length > 0,
    postLimits: config.maxPosts > 0 || config.maxUploads > 0,
    quickPosts: config.minElapsedMs > 0,
  };
  return {
    ...Object.fromEntries(Object.entries(facts).map(([name, is]) => [name, is ? "yes" : ""])),
    attachmentMegabytes: number(mail && mail.maxAttachedBytes / 1_048_576),
    backupHours: number(backups.intervalMs / hourMs),
    backupsKept: hasBackups ? number(backups.keepCount) : "",
  };
}
