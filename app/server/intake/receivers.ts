/** How each form is received: its fields, its files, and what becomes of an accepted post. */

import type { Store } from "#db/store.ts";
import { counted } from "../../domain/counted.ts";
import type { NewRequestWithFiles, StoredRequest } from "../../domain/new-request.ts";
import type { FormName } from "../../domain/request.ts";
import type { StagedFile } from "../../domain/upload.ts";
import { contactFields, contactMessages, contactRequestTypes } from "../../forms/contact.ts";
import { demoRequestFields, demoRequestMessages } from "../../forms/demo-request.ts";
import {
  type DemoUploadFileField,
  demoUploadFields,
  demoUploadFileFields,
  demoUploadMessages,
} from "../../forms/demo-upload.ts";
import type { FileField } from "../../forms/files.ts";
import {
  type RubricFileField,
  rubricFileFields,
  rubricRequestFields,
  rubricRequestMessages,
} from "../../forms/rubric-request.ts";
import { subscriptionFields, subscriptionMessages } from "../../forms/subscription.ts";
import type { TextFields, Texts } from "../../forms/text-fields.ts";
import { requestEmail } from "../email/compose.ts";

/** What the intake needs to know of a form. */
export interface Receiver<
  Fields extends TextFields = TextFields,
  FileFieldName extends string = string,
> {
  name: FormName;
  fields: Fields;
  /** Empty for a form without files. */
  fileFields: Record<FileFieldName, FileField>;
  /** Accepted values of `requestType`; the first is the default. */
  requestTypes?: readonly string[];
  /** Error message if a required text is missing. */
  missingTexts?: string;
  /** Error message if a required file is missing. */
  missingFiles?: string;
  /** Error message for an unexpected failure. */
  failed: string;
  /** Stores an accepted post, with the email that reports it to the team. */
  submit(
    store: Store,
    accepted: AcceptedPost<Fields, FileFieldName>,
    more: { requestType: string; receivedAt: Date; productName: string },
  ): Promise<StoredRequest>;
}

/** A valid post with everything that its request needs but the email. */
type AcceptedPost<
  Fields extends TextFields = TextFields,
  FileFieldName extends string = string,
> = Omit<NewRequestWithFiles<Texts<Fields>, Record<FileFieldName, StagedFile[]>>, "email">;

const contact: Receiver<typeof contactFields, never> = {
  name: "contact",
  fields: contactFields,
  fileFields: {},
  requestTypes: contactRequestTypes,
  missingTexts: contactMessages.missing,
  failed: contactMessages.failed,
  submit(store, accepted, { requestType, receivedAt, productName }) {
    const email = requestEmail({
      subject: `${productName} message`,
      opening: "A message has arrived through the contact form.",
      fields: contactFields,
      receivedAt,
      ...accepted,
    });
    return store.submitContactRequest("contact", requestType, { ...accepted, email }, receivedAt);
  },
};

const demoRequest: Receiver<typeof demoRequestFields, never> = {
  name: "demo-request",
  fields: demoRequestFields,
  fileFields: {},
  failed: demoRequestMessages.failed,
  submit(store, accepted, { receivedAt, productName }) {
    const email = requestEmail({
      subject: `${productName} demo request`,
      opening: "A demo request has arrived. The sender was promised a reply within 24 hours.",
      fields: demoRequestFields,
      receivedAt,
      ...accepted,
    });
    const { fullName, ...others } = accepted.typed;
    const request = { ...accepted, typed: { name: fullName, ...others }, email };
    return store.submitContactRequest("demo-request", "demo", request, receivedAt);
  },
};

const demoUpload: Receiver<typeof demoUploadFields, DemoUploadFileField> = {
  name: "demo-upload",
  fields: demoUploadFields,
  fileFields: demoUploadFileFields,
  requestTypes: ["demo"],
  missingFiles: demoUploadMessages.missingFiles,
  failed: demoUploadMessages.failed,
  submit(store, accepted, { receivedAt, productName }) {
    const count = accepted.files.submissionFiles.length;
    const email = requestEmail({
      subject: `${productName} demo upload`,
      details: counted(count, "submission"),
      opening: "A demo upload has arrived. The sender was promised a reply within 24 hours.",
      fields: demoUploadFields,
      fileFields: demoUploadFileFields,
      receivedAt,
      ...accepted,
    });
    return store.submitDemoUpload({ ...accepted, email }, receivedAt);
  },
};

const rubricRequest: Receiver<typeof rubricRequestFields, RubricFileField> = {
  name: "rubric-request",
  fields: rubricRequestFields,
  fileFields: rubricFileFields,
  missingFiles: rubricRequestMessages.missingFiles,
  failed: rubricRequestMessages.failed,
  submit(store, accepted, { receivedAt, productName }) {
    const email = requestEmail({
      subject: `${productName} rubric request`,
      opening:
        "A request for the smart rubric service has arrived. The sender was promised contact within 24-48 hours.",
      fields: rubricRequestFields,
      fileFields: rubricFileFields,
      receivedAt,
      ...accepted,
    });
    return store.submitRubricRequest({ ...accepted, email }, receivedAt);
  },
};

const subscription: Receiver<typeof subscriptionFields, never> = {
  name: "subscription",
  fields: subscriptionFields,
  fileFields: {},
  failed: subscriptionMessages.failed,
  submit: (store, { reference, typed, spam, isTest }, { receivedAt }) =>
    store.subscribe({ email: typed.email, reference, spam, isTest }, receivedAt),
};

export const receivers: Record<FormName, Receiver> = {
  contact,
  "demo-request": demoRequest,
  "demo-upload": demoUpload,
  "rubric-request": rubricRequest,
  subscription,
};

/** Whether a form takes files. */
export const hasFiles = ({ fileFields }: Pick<Receiver, "fileFields">): boolean =>
  Object.keys(fileFields).length > 0;
