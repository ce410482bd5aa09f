/** Requests, files and results for tests of the store. */
import type { Email } from "../../app/domain/email.ts";
import type { NewRequest } from "../../app/domain/new-request.ts";
import type { Results } from "../../app/domain/result.ts";
import type { StagedFile } from "../../app/domain/upload.ts";
import type { Operations } from "../../db/store.ts";

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;
export const noon = new Date("2026-11-21T12:00:00.000Z");
export const later = (ms: number) => new Date(noon.getTime() + ms);

let count = 0;
export function nextReference(): string {
  count += 1;
  return `AAAA-AAAA-${String(count).padStart(4, "2")}`;
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

export function newRequest<Texts>(
  typed: Texts,
  more: Partial<NewRequest<Texts>> = {},
): NewRequest<Texts> {
  const reference = nextReference();
  return {
    reference,
    fingerprint: reference,
    typed,
    spam: null,
    isTest: false,
    email,
    holdEmail: false,
    duplicatesSince: later(-10 * minute),
    ...more,
  };
}

export const submitContact = (
  store: Operations,
  more: Partial<NewRequest<typeof contact>> = {},
  at = noon,
) => store.submitContactRequest("contact", "general", newRequest(contact, more), at);

export const stage = (store: Operations, field: string, text = field, at = noon) =>
  store.stageFile(
    { field, name: `${field}.txt`, mediaType: "text/plain", bytes: Buffer.from(text) },
    { maxBytes: 1_000_000, draftsInUse: [] },
    at,
  );

export async function submitDemo(store: Operations, files?: Partial<Record<string, StagedFile[]>>) {
  return store.submitDemoUpload(
    {
      ...newRequest(contact),
      files: {
        questionsFile: [await stage(store, "questionsFile")],
        rubricFile: [await stage(store, "rubricFile")],
        submissionFiles: [
          await stage(store, "submissionFiles", "first"),
          await stage(store, "submissionFiles", "second"),
        ],
        ...files,
      },
      draftId: undefined,
      noticeVersion: "2026-11-21",
    },
    noon,
  );
}

const rubricTexts = {
  fullName: "Sipho Example",
  email: "sipho@school.example",
  phone: "+27 31 555 0101",
  institution: "Example School",
  expectedImprovements: "Say what half a mark is for.",
};

export async function submitRubric(
  store: Operations,
  files?: Partial<Record<string, StagedFile[]>>,
) {
  return store.submitRubricRequest(
    {
      ...newRequest(rubricTexts),
      files: {
        assessmentQuestions: [await stage(store, "assessmentQuestions")],
        gradingRubric: [await stage(store, "gradingRubric")],
        markingMemo: [],
        ...files,
      },
      draftId: undefined,
      noticeVersion: null,
    },
    noon,
  );
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
      { questionNumber: "1", description: "Add", totalMarks: 50, marksAwarded: 40, feedback: "" },
    ],
  })),
};

export const publication = (reference: string, token = "a-token") => ({
  reference,
  token,
  link: `https://site.example/?results=${token}`,
  email: { ...email, recipient: "thandi@school.example" },
  expiresAt: later(30 * day),
  holdEmail: false,
});
