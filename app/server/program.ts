import { mkdirSync } from "node:fs";
import type { RequestHandler } from "express";
import { parseReference } from "#db/reference.ts";
import { openStore, type Store } from "#db/store.ts";
import type { Services } from "../services.ts";
import { type Config, variableOf } from "./config.ts";
import { openHttp } from "./http.ts";
import { receiveDemoUpload } from "./intake/demo-upload.ts";
import { newSlots } from "./intake/slots.ts";
import { Steps } from "./intake/steps.ts";
import type { Log } from "./log.ts";
import { restingPostman, startPostman } from "./mail/postman.ts";

export interface Program {
  /** Where the site can be visited. */
  address: string;
  /** Lets requests and the letter in flight finish, then closes everything. */
  close(): Promise<void>;
}

/**
 * Opens the parts in order; `close` closes them in reverse.
 * @param assets answers requests for scripts, styles and fonts, and passes on all others
 */
export async function openProgram(
  config: Config,
  assets: RequestHandler,
  log: Log,
): Promise<Program> {
  const now = () => new Date();
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 });
  const store = await openStore(config.databaseFile, (error) => {
    log.error("nothing can be kept any more, so this program ends", error);
    process.exit(1);
  });
  const swept = await store.sweepStagedFiles(now());
  if (swept > 0) log.info(`${swept} files of unfinished uploads were removed`);
  const stopForgetting = await forgetRegularly(store, config.retentionDays, now, log);
  const postman = config.mail
    ? startPostman(store, config.mail, now, log)
    : await restingPostman(store, log, variableOf("MAIL_URL"));
  const takeSlot = newSlots({
    slots: config.uploadSlots,
    queue: config.uploadQueue,
    patienceMs: 30_000,
  });
  const steps = new Steps();

  const services: Services = {
    brand: config.brand,
    retentionDays: config.retentionDays,
    demoUpload: {
      async submit(request, from) {
        const uploadId = Steps.idOf(request);
        steps.set(uploadId, "checking");
        const outcome = await receiveDemoUpload(request, from === "page", {
          store,
          takeSlot,
          mostStagedBytes: config.mostStagedBytes,
          productName: config.brand.name,
          now,
          log,
          onStoring: () => steps.set(uploadId, "storing"),
        }).finally(() => steps.end(uploadId));
        if (outcome.received) postman.wake();
        return outcome;
      },
      findStep: (uploadId) => steps.find(uploadId),
      async findReceipt(typed) {
        const reference = parseReference(typed);
        return reference ? store.findReceipt(reference, now()) : null;
      },
    },
  };
  const closeParts = async () => {
    stopForgetting();
    await postman.close();
    await store.close();
  };
  try {
    const http = await openHttp(config, services, assets, log);
    return {
      address: http.address,
      async close() {
        await http.close();
        await closeParts();
      },
    };
  } catch (error) {
    await closeParts();
    throw error;
  }
}

/** Deletes what is older than promised, now and every few minutes. Returns what stops it. */
async function forgetRegularly(store: Store, days: number, now: () => Date, log: Log) {
  const forget = async () => {
    try {
      await store.sweepStaging(now());
      await store.sweepStagedFiles(new Date(now().getTime() - longestRequestMs));
      const forgotten = await store.forgetRequestsBefore(new Date(now().getTime() - days * dayMs));
      if (forgotten > 0) log.info(`${forgotten} requests older than ${days} days were deleted`);
    } catch (error) {
      log.error("old requests could not be deleted; trying again in five minutes", error);
    }
  };
  await forget();
  const timer = setInterval(forget, 5 * 60 * 1000);
  return () => clearInterval(timer);
}

/** Longer than any request may take; what is staged for longer was not discarded because the disk was full. */
const longestRequestMs = 2 * 60 * 60 * 1000;
const dayMs = 24 * 60 * 60 * 1000;
