/** Does what a form of the team's page asks for, by the functions that commands use too. */
import { createHmac } from "node:crypto";
import { counted } from "../../domain/counted.ts";
import { formatDayOf } from "../../domain/day.ts";
import { firstOf } from "../../domain/first-of.ts";
import { maxAsked } from "../../domain/lead-question.ts";
import { leadName, type TeamRequest, type TeamResult } from "../../domain/team.ts";
import { changesIn, leftOpen, namedAndAdded } from "../../results/class-changes.ts";
import { readClassList } from "../../results/class-list.ts";
import type { ClassListOutcome } from "../../results/class-plan.ts";
import type { HowToName } from "../../results/mark-column.ts";
import { readCsv } from "../../results/read-csv.ts";
import type { TeamAction } from "../../results/team-form.ts";
import { readComment } from "../../results/typed-decision.ts";
import { isWorkError, type Work, type WorkError } from "./class-work.ts";
import { filledName, fillSentences, learnersToFill, noneFilled } from "./fill-sheet.ts";
import { fillInChild } from "./fill-sheet-child.ts";
import {
  countSentences,
  type ImportedProposals,
  importProposals,
  isJson,
  memoSentences,
  type ProposalsContent,
} from "./import-proposals.ts";
import {
  closeMarking,
  type FieldNames,
  handOver,
  type OpenedMarking,
  openMarking,
} from "./open-marking.ts";
import {
  endCopies,
  preparePublishing,
  publishClass,
  reopenClass,
  shareCopy,
  withdrawClass,
} from "./publish-class.ts";
import { tellOfExport } from "./team-notice.ts";

interface Asked {
  work: Work & { by: string };
  request: TeamRequest;
  /** The token of the link to the team's page. */
  token: string;
}

type Performers = {
  [Name in TeamAction["action"]]: (
    asked: Asked,
    action: Extract<TeamAction, { action: Name }>,
  ) => Promise<TeamResult>;
};

/** Does what a form asks for. A form that is sent twice has no further effect, except that `share` makes another copy. */
export const performTeamAction = (asked: Asked, action: TeamAction): Promise<TeamResult> =>
  // TypeScript does not see that the performer of a name gets the action of that name.
  performers[action.action](asked, action as never);

const rejected = (error: string, status: 409 | 422 = 422): TeamResult => ({ status, error });

const rejectedWork = ({ code, error }: WorkError): TeamResult =>
  rejected(error, code === "changed" ? 409 : 422);

/** The labels of the form's fields. */
const fields: FieldNames = {
  questions: "Questions",
  learners: "Learners",
  blind: "The share of hidden proposals",
  tolerance: "The tolerance",
  second: "a second marker",
  days: "Days",
};

const performers: Performers = {
  "open marker": async ({ work, request, token }, { key, names, second, ...texts }) => {
    const typed = { ...texts, showsNames: names, isSecond: second };
    const isEmailed = typed.email !== undefined;
    // The token of a shown link is derived from the page's token, so a repeated post shows the same link. An emailed
    // link has a random token, which people with the page's link cannot derive.
    const options = { fields, ...(!isEmailed && { token: tokenOf(token, key, typed) }) };
    const opened = await openMarking(work, request, typed, options);
    return isWorkError(opened) ? rejectedWork(opened) : sentOrShown(work, opened, typed.email);
  },
  "open desk": async ({ work, request, token }) => {
    const marker = leadName(work.by);
    const links = await work.store.listMarkingLinks(request.assessmentId, work.now);
    const typed = { marker, showsNames: true, isSecond: false };
    // A lead has one open link at a time. The number of the lead's ended links gives the next link a new token. Links
    // from which the name was erased are not counted: if one of them had the token, the next number is tried.
    let number = links.filter((one) => one.marker === marker && one.state !== "open").length;
    const open = () =>
      openMarking(work, request, typed, { fields, token: tokenOf(token, "lead", number, marker) });
    let opened = await open();
    while (isWorkError(opened) && opened.code === "changed" && number < links.length) {
      number += 1;
      opened = await open();
    }
    return isWorkError(opened)
      ? rejectedWork(opened)
      : { done: `What you decide on the desk is recorded as ${marker}.`, desk: opened.url };
  },
  "close marker": async ({ work, request }, { id }) => {
    const [closed] = await closeMarking(work, request, id);
    return closed === undefined
      ? rejected("This link is closed already. Nothing was changed.", 409)
      : { done: `The link of ${closed} is closed. What was decided stays.` };
  },
  "hand over": async ({ work, request, token }, { key, id: linkId, ...typed }) => {
    const shownToken = typed.email === undefined ? tokenOf(token, key, linkId, typed) : undefined;
    const handed = await handOver(work, request, { ...typed, linkId }, shownToken);
    if (isWorkError(handed)) return rejectedWork(handed);
    return sentOrShown(work, handed, typed.email);
  },
  reply: async ({ work, request }, { id: questionId, reply }) => {
    const { store, now, by } = work;
    const text = readComment(reply, maxAsked, "The reply");
    if (typeof text !== "string") return rejected(text.error);
    if (text === "") return rejected("Type the reply first. Nothing was stored.");
    const replied = await store.replyToQuestion(request.assessmentId, { questionId, text }, now);
    if (!("isRead" in replied)) {
      const isGone = replied.outcome === "no question";
      return rejected(
        isGone
          ? "This question is not here any more. Nothing was stored."
          : "This question has another reply already. Yours was not stored.",
        409,
      );
    }
    if (replied.outcome === "stored") {
      await store.openAudit("reply to a marker", now, request.reference, by);
    }
    return {
      done: replied.isRead
        ? "The marker reads your reply beside the learner’s work."
        : "Your reply is stored. The link under which this was asked has ended, so no marker reads it: tell the one who marks this answer now.",
    };
  },
  "take list": takeList,
  "take proposals": takeProposals,
  "cut scan": cutScan,
  "set file": async ({ work: { store, now, by }, request }, { file, to }) => {
    const outcome = await store.setWorkFile(request.assessmentId, { ...file, to });
    if (outcome !== "stored") return rejected(`${whyNotSet[outcome]} Nothing was changed.`, 409);
    const isTaken = to === "no script";
    await store.openAudit(
      isTaken ? "file taken away" : "file assigned",
      now,
      request.reference,
      by,
    );
    return {
      done: isTaken
        ? "The learner does not have the file any more. It stays with the request."
        : "The file is the learner’s now.",
    };
  },
  "discard scan": async ({ work, request }, { upload }) =>
    (await work.store.discardScanUpload(request.assessmentId, upload))
      ? { done: "What had arrived of the scan is deleted." }
      : rejected("This scan has arrived whole, or is gone. Nothing was changed.", 409),
  publish: async ({ work, request }, { open: seenOpen }) => {
    const publishing = await preparePublishing(work, request);
    if (isWorkError(publishing)) return rejected(publishing.error);
    if (publishing.openWork.items.length > seenOpen) {
      return rejected(
        "More is open than when this page was made. Look at it again. Nothing was published.",
        409,
      );
    }
    const open = await publishClass(work, request, publishing);
    if (open) {
      const until = formatDayOf(open.expiresAt);
      return { done: `The marks were published already: the link works until ${until}.` };
    }
    const { name } = request.sender;
    const email = work.config.mail
      ? `${name} gets the link by email once the pages are ready, within 15 minutes.`
      : `The email with the link for ${name} ${waits}`;
    return { done: `The marks are published. ${email}` };
  },
  withdraw: async ({ work, request }, { published: seen }) =>
    seen === (request.resultsLink?.createdAt ?? "") && (await withdrawClass(work, request))
      ? { done: "The marks are withdrawn: the links to them are closed." }
      : rejected(
          "The marks are not published, or the link is another than when this page was made. Nothing was changed.",
          409,
        ),
  reopen: async ({ work, request }, { signed: seen }) => {
    if (seen !== request.signed?.at || !(await reopenClass(work, request))) {
      return rejected(
        "The marks are not signed, or were signed again after this page was made. Nothing was changed.",
        409,
      );
    }
    return {
      done: request.resultsLink
        ? "The marks can be changed again, under the link that is open."
        : `The marks can be changed again. ${request.sender.name} has no open link to them: publish them for a new one.`,
    };
  },
  share: async ({ work, request }) => {
    const shared = await shareCopy(work, request);
    if (isWorkError(shared)) return rejected(shared.error);
    const until = formatDayOf(shared.expiresAt.toISOString());
    return {
      done: `Anyone who has this link can read the marks until ${until}, and decide nothing. It is shown here only, and not again.`,
      link: shared.link,
    };
  },
  "fill sheet": fillForSchool,
  "end copies": async ({ work, request }) => {
    const count = await endCopies(work, request);
    return count > 0
      ? { done: `${counted(count, "link")} of reading copies closed.` }
      : rejected("There is no reading copy. Nothing was changed.", 409);
  },
};

/**
 * Derives a marking link's token from the page's token, which is secret, and from what a form asks for. So a form that
 * is sent twice opens one link, and a form that was changed in between opens another.
 */
const tokenOf = (token: string, ...asked: unknown[]) =>
  createHmac("sha256", token)
    .update(`marking link ${JSON.stringify(asked)}`)
    .digest("base64url");

const whyNotSet = {
  "no file":
    "The file was given to a learner, or taken away, since this page was opened. Look at the page again.",
  "no learner": "This learner is not in the class any more.",
  decided: "A mark of the learner is decided already, so the files stay as they are.",
  "only learner": "The class has no other learner: store the class list first.",
  signed: "The marks are signed: reopen them first.",
};

const waits = "waits until a mail server is set: ask the person who runs the server.";

/** Says where the new link of a marker was sent, shows it, or says that the marker has an open link already. */
const sentOrShown = ({ config }: Work, opened: OpenedMarking, email?: string): TeamResult => {
  const { marker, url, expiresAt, wasOpen } = opened;
  const until = `It works until ${formatDayOf(expiresAt.toISOString())}.`;
  if (email === undefined) {
    return {
      done: `Give this link to ${marker}. It is shown here only, and not again. ${until}`,
      link: url,
    };
  }
  if (wasOpen) {
    return {
      done: `${marker} has an open link for ${email} already. ${until} Nothing was sent again: to send another, close that link first.`,
    };
  }
  const sent = config.mail
    ? `The link for ${marker} is sent to ${email}.`
    : `The email with the link for ${marker} to ${email} ${waits} To hand a link over yourself, close this one, and make one without an address.`;
  return { done: `${sent} ${until}` };
};

async function cutScan(
  { work: { store, now, by }, request: { assessmentId, reference, signed } }: Asked,
  { upload: key, size, pages: scriptPages }: Extract<TeamAction, { action: "cut scan" }>,
): Promise<TeamResult> {
  if (signed) {
    return rejected(
      `${signed.by} has signed these marks: reopen them before a scan is cut. Nothing was changed.`,
      409,
    );
  }
  const upload = await store.findScanUpload(assessmentId, key);
  const sent = { sizes: [size], scriptPages };
  const queued = upload ? await store.queueScanUpload(upload.id, sent, now) : "missing";
  if (queued === "missing") {
    return rejected(
      "The scan has not arrived whole. Choose it again: what has arrived is not sent twice.",
      409,
    );
  }
  if (queued === "queued") await store.openAudit("scan sent", now, reference, by);
  return {
    done: "The scan has arrived, and is cut in the background. Load the page again to see how far it is.",
  };
}

/** How error messages refer to the fields of the form. */
const howTo: HowToName = {
  column: "under “Column”",
  learner: "under “Heading over the learners”",
  sheet: "under “Sheet of the workbook”",
};

async function fillForSchool(
  { work, request }: Asked,
  { sheet, column, learner, sheetName, percentage }: Extract<TeamAction, { action: "fill sheet" }>,
): Promise<TeamResult> {
  if (!sheet) return rejected("Choose the sheet first. Nothing was filled in.");
  const results = await work.store.findImportedResults(request.assessmentId);
  if (!results) return rejected("There are no marks yet. Nothing was filled in.", 409);
  const { title, signed } = results;
  const answer = await fillInChild(request, sheet.bytes, {
    learners: learnersToFill(results, { percentage }),
    wishes: { title, column, learner },
    percentage,
    sheetName,
    howTo,
  });
  if ("error" in answer) return rejected(`“${sheet.name}” ${answer.error}. Nothing was filled in.`);
  const { base64, ...filled } = answer;
  if (filled.filled.length === 0) return rejected(`${noneFilled(filled)}. Nothing was filled in.`);
  await tellOfExport(work, request, "sheet filled");
  const [done, ...sentences] = fillSentences(filled, signed !== undefined);
  return {
    done,
    filled: {
      name: filledName(sheet.name, signed !== undefined),
      href: `data:application/octet-stream;base64,${base64}`,
      sentences: firstOf(sentences, maxFillSentences),
    },
  };
}

/** Max sentences shown about the learners and rows of a sheet: a person reads no more of them. */
const maxFillSentences = 100;

async function takeList(
  { work: { store, now, by }, request: { assessmentId, reference } }: Asked,
  { list, adds, removes, version: seenVersion }: Extract<TeamAction, { action: "take list" }>,
): Promise<TeamResult> {
  const { learners: listed, errors } = readClassList(readCsv(list));
  if (errors) return rejected(`${sentencesOf(errors)} Nothing was stored.`);
  const outcome = await store.takeClassList(assessmentId, listed, {
    adds,
    removesOthers: removes,
    ...(seenVersion !== undefined && { seenVersion }),
  });
  if (outcome.outcome === "stored") {
    if (!outcome.isRepeated) await store.openAudit("class list stored", now, reference, by);
    return { done: namedAndAdded(outcome.plan).join(" ") };
  }
  if (outcome.outcome !== "preview") return listRejection(outcome);
  const { plan, version } = outcome;
  const named = plan.learners.map(({ number, name, fileName, files, learnerId }) => {
    const work = [fileName, ...files.map((file) => file.name)].filter(Boolean).join(" + ");
    const without = learnerId === null ? "new, without work" : "no work";
    return `${number} ${name}: ${work || without}`;
  });
  const howToAdd = "To add those who have sent no work, tick the box.";
  const sentences = [...named, ...changesIn(plan), ...leftOpen(plan, adds ? undefined : howToAdd)];
  return {
    done: "This is what the list would do. Nothing is stored yet.",
    plan: { sentences, version },
  };
}

async function takeProposals(
  { work, request: { assessmentId, reference } }: Asked,
  {
    list,
    proposer,
    replaces,
    version: seenVersion,
  }: Extract<TeamAction, { action: "take proposals" }>,
): Promise<TeamResult> {
  const content = readContent(list);
  if (typeof content === "string") return rejected(content);
  const outcome = await importProposals(work, { assessmentId, reference }, content, {
    ...(proposer !== undefined && { proposedBy: proposer }),
    replaces,
    seenVersion: seenVersion ?? "",
  });
  if (outcome.outcome !== "imported") return importRejection(outcome);
  const counts = countSentences(outcome);
  if (outcome.results) return { done: counts.join(" ") };
  if (seenVersion !== undefined) return rejected(changedMeanwhile, 409);
  return {
    done: "This is what the file would do. Nothing is stored yet.",
    plan: {
      sentences: [...counts, ...outcome.memos.flatMap(memoSentences), ...outcome.cleaned],
      version: outcome.version,
    },
  };
}

function importRejection(outcome: Exclude<ImportedProposals, { outcome: "imported" }>): TeamResult {
  const unstored = (sentences: string, status?: 409) =>
    rejected(`${sentences} Nothing was stored.`, status);
  switch (outcome.outcome) {
    case "invalid":
      return unstored(sentencesOf(outcome.errors));
    case "signed": {
      const { by } = outcome.signature;
      const why = `${by} has signed these marks: reopen them before proposals are imported.`;
      return unstored(why, 409);
    }
    case "conflicts":
      return unstored(`${sentencesOf(outcome.conflicts)} Change the file so that these stay.`, 409);
    case "other points": {
      const how = "Change these points on the desk, under “Questions”.";
      return unstored(`${sentencesOf(outcome.conflicts)} ${how}`, 409);
    }
  }
}

/** Returns the content of a posted text, or a sentence that says why it cannot be read. */
function readContent(text: string): ProposalsContent | string {
  if (text.trim() === "") return "Choose a file, or paste a sheet. Nothing was stored.";
  if (!isJson(text)) return { sheet: text };
  try {
    return { json: JSON.parse(text) };
  } catch {
    return "The text begins as JSON does, and cannot be read as JSON. Nothing was stored.";
  }
}

const changedMeanwhile =
  "The class has changed meanwhile. Look at the preview again. Nothing was stored.";

function listRejection(
  outcome: Exclude<ClassListOutcome, { outcome: "stored" | "preview" }>,
): TeamResult {
  if (outcome.outcome === "rejected") {
    return rejected(`${sentencesOf(outcome.errors)} Nothing was stored.`);
  }
  return rejected(
    outcome.outcome === "signed"
      ? `${outcome.signature.by} has signed these marks: a list can only change numbers and names now. Nothing was stored.`
      : changedMeanwhile,
    409,
  );
}

/** Max errors shown at once: a file of the wrong kind can have thousands. */
const maxErrors = 20;

const sentencesOf = (errors: readonly string[]): string =>
  firstOf(errors, maxErrors)
    .map((error) => error.replace(/\.?$/, "."))
    .join(" ");
