/** The thread that owns the connections of a running server. It handles calls side by side. */
import { workerData } from "node:worker_threads";
import { answer, answerCalls } from "../answering-thread.ts";
import { parseAddress } from "./address.ts";
import { openDatabase } from "./open.ts";

answerCalls(
  (onMigrated) => openDatabase(parseAddress(workerData.url), workerData.connections, onMigrated),
  (database, calls) => {
    for (const call of calls) void answer(database, call);
  },
);
