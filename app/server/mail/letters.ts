import type { Letter } from "#db/outbox.ts";
import { program } from "../../brand.ts";
import type { DemoUploadContact, DemoUploadFiles } from "../../forms/demo-upload.ts";
import { megabytes } from "../../forms/files.ts";

/**
 * To the team: somebody sent files. The files themselves stay in the database. Nothing that a visitor
 * typed stands in the subject.
 */
export function demoUploadLetter(upload: {
  reference: string;
  contact: DemoUploadContact;
  files: DemoUploadFiles<{ name: string; size: number }>;
  receivedAt: Date;
  productName: string;
}): Letter {
  const { reference, contact, files, receivedAt, productName } = upload;
  const { questionsFile, rubricFile, submissionFiles } = files;
  const count = submissionFiles.length;
  const line = (file: { name: string; size: number }) => `  ${file.name} (${megabytes(file.size)})`;
  return {
    subject: `${productName} demo upload ${reference}: ${count} ${count === 1 ? "submission" : "submissions"}`,
    replyTo: contact.email,
    body: `A demo upload has arrived. The sender was promised an answer within 24 hours.

Reference:      ${reference}
Received:       ${receivedAt.toISOString()}
Name:           ${contact.name}
Email address:  ${contact.email}
Contact number: ${contact.phone}
Institution:    ${contact.institution ?? "(not given)"}

Message:
${contact.message}

Questions:
${line(questionsFile)}
Rubric:
${line(rubricFile)}
Submissions:
${submissionFiles.map(line).join("\n")}

To get the files, on the machine that runs the service:
  ${program.command} requests files ${reference} --out FOLDER
Answer by replying to this letter: it goes to the sender.
`,
  };
}
