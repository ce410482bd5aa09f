/** Requests, files and results for tests of the store. */
import type { Email } from "../../app/domain/email.ts";
import type { NewRequest } from "../../app/domain/new-request.ts";
import type { ImportedResults } from "../../app/domain/publication.ts";
import type { Results } from "../../app/domain/result.ts";
import type { StagedFile } from "../../app/domain/upload.ts";
import type { Operations } from "../../db/store.ts";
import { referenceOf } from "./requests.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const noon = new Date("2026-11-21T12:00:00.000Z");
export const later = (ms: number) => new Date(noon.getTime() + ms);

let count = 0;
/** A reference that no other call has returned. */
export function nextReference(): string {
  count += 1;
  return referenceOf(count);
}

export const email: Email = {
  subject: "A message",
  body: "Somebody wrote.\n",
  replyTo: "thandi@school.example",
};

export const contact = {
  name: "Thandi Example",
  email: "thandi@school.example",
  phone: "+27 31 555 0100",
  institution: "Example School",
  message: "How do I start?",
};

export function newRequest(more: Partial<NewRequest> = {}): NewRequest {
  const reference = nextReference();
  return {
    reference,
    fingerprint: reference,
    texts: contact,
    requestType: "general",
    files: {},
    noticeVersion: null,
    spam: null,
    isTest: false,
    email,
    isOnHold: false,
    duplicatesSince: later(-10 * minute),
    ...more,
  };
}

export const submitContact = (store: Operations, more: Partial<NewRequest> = {}, at = noon) =>
  store.submitRequest("contact", newRequest(more), at);

export const stage = (store: Operations, field: string, text = field) =>
  store.stageFile(
    { field, name: `${text}.txt`, mediaType: "text/plain", bytes: Buffer.from(text) },
    1_000_000,
    noon,
  );

/** Stores an upload of a class of two. Returns the reference of the request, and the id of the class. */
export async function submitDemo(store: Operations, files?: Record<string, StagedFile[]>) {
  const all = {
    questionsFile: [await stage(store, "questionsFile")],
    rubricFile: [await stage(store, "rubricFile")],
    submissionFiles: [
      await stage(store, "submissionFiles", "first"),
      await stage(store, "submissionFiles", "second"),
    ],
    ...files,
  };
  const more = { requestType: "demo", noticeVersion: "2026-11-21" };
  const request = newRequest({ ...more, files: all });
  const { reference } = await store.submitRequest("demo-upload", request, noon);
  const { assessmentId } = (await store.findMarkingTarget(reference))!;
  return { reference, assessmentId };
}

const rubricTexts = {
  name: "Sipho Example",
  email: "sipho@school.example",
  phone: "+27 31 555 0101",
  institution: "Example School",
  message: "Say what half a mark is for.",
};

export async function submitRubric(store: Operations, files?: Record<string, StagedFile[]>) {
  const all = {
    assessmentQuestions: [await stage(store, "assessmentQuestions")],
    gradingRubric: [await stage(store, "gradingRubric")],
    markingMemo: [],
    ...files,
  };
  const more = { texts: rubricTexts, requestType: null };
  return store.submitRequest("rubric-request", newRequest({ ...more, files: all }), noon);
}

export const results: Results = {
  title: "Fractions",
  averageGrade: 81,
  totalSubmissions: 2,
  submissions: ["first", "second"].map((name, index) => ({
    studentName: `Learner ${index + 1}`,
    fileName: `${name}.txt`,
    grade: 80 + index * 2,
    feedback: "Good work.",
    questionMarks: [
      {
        questionNumber: "1",
        description: "Add",
        totalMarks: 50,
        marksAwarded: 40 + index,
        feedback: "",
      },
    ],
  })),
};

/** The import that proposes the marks of results. */
export const importOf = ({ title, submissions }: Results): ImportedResults => ({
  title,
  proposedBy: "",
  questions: submissions[0]!.questionMarks.map(({ questionNumber, description, totalMarks }) => ({
    questionNumber,
    description,
    totalMarks,
  })),
  submissions,
});

export const publication = (reference: string, token = "a-token") => ({
  reference,
  token,
  link: `https://site.example/?results=${token}`,
  email: { ...email, recipient: "thandi@school.example" },
  sender: "Thandi Example",
  expiresAt: later(30 * day),
  isOnHold: false,
});
