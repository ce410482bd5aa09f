import { mkdirSync } from "node:fs";
import type { RequestHandler } from "express";
import { findReceipt } from "#db/demo-upload.ts";
import { closeDatabase, type Db, openDatabase } from "#db/open.ts";
import { parseReference } from "#db/reference.ts";
import { forgetRequestsBefore } from "#db/retention.ts";
import { sweepStagedFiles } from "#db/uploaded-file.ts";
import type { Services } from "../services.ts";
import { type Config, variableOf } from "./config.ts";
import { openHttp } from "./http.ts";
import { receiveDemoUpload } from "./intake/demo-upload.ts";
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
  const db = await openDatabase(config.databaseFile);
  const swept = await sweepStagedFiles(db);
  if (swept > 0) log.info(`${swept} files of unfinished uploads were removed`);
  const stopForgetting = await forgetRegularly(db, config.retentionDays, now, log);
  const postman = config.mail
    ? startPostman(db, config.mail, now, log)
    : await restingPostman(db, log, variableOf("MAIL_URL"));

  const services: Services = {
    brand: config.brand,
    retentionDays: config.retentionDays,
    demoUpload: {
      async submit(request) {
        const outcome = await receiveDemoUpload(request, {
          db,
          productName: config.brand.name,
          now,
        });
        if (outcome.received) postman.wake();
        return outcome;
      },
      async findReceipt(typed) {
        const reference = parseReference(typed);
        return reference ? findReceipt(db, reference, now()) : null;
      },
    },
  };
  const closeParts = async () => {
    stopForgetting();
    await postman.close();
    await closeDatabase(db);
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

/** Deletes what is older than promised, now and every hour. Returns what stops it. */
async function forgetRegularly(db: Db, days: number, now: () => Date, log: Log) {
  const forget = async () => {
    try {
      const forgotten = await forgetRequestsBefore(db, new Date(now().getTime() - days * dayMs));
      if (forgotten > 0) log.info(`${forgotten} requests older than ${days} days were deleted`);
    } catch (error) {
      log.error("old requests could not be deleted; trying again in an hour", error);
    }
  };
  await forget();
  const timer = setInterval(forget, hourMs);
  return () => clearInterval(timer);
}

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
