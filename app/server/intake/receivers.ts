/** How each form is received: its fields, its table, and the email that reports it to the team. */

import type { FormName } from "../../domain/request.ts";
import { contactFields, contactMessages, contactRequestTypes } from "../../forms/contact.ts";
import { demoRequestFields, demoRequestMessages } from "../../forms/demo-request.ts";
import {
  demoUploadFields,
  demoUploadFileFields,
  demoUploadMessages,
} from "../../forms/demo-upload.ts";
import {
  rubricFileFields,
  rubricRequestFields,
  rubricRequestMessages,
} from "../../forms/rubric-request.ts";
import { subscriptionFields, subscriptionMessages } from "../../forms/subscription.ts";
import { requestEmail } from "../email/compose.ts";
import type { Receiver } from "./post.ts";
import { receiveFiles } from "./receive-files.ts";
import { receiveTexts } from "./receive-texts.ts";

export const receivers: Record<FormName, Receiver> = {
  contact: receiveTexts({
    name: "contact",
    fields: contactFields,
    requestTypes: contactRequestTypes,
    missingTexts: contactMessages.missing,
    failed: contactMessages.failed,
    submit(store, { requestType, receivedAt, ...validated }, { productName }) {
      const email = requestEmail({
        subject: `${productName} message`,
        opening: "A message has arrived through the contact form.",
        fields: contactFields,
        receivedAt,
        ...validated,
      });
      return store.submitContactRequest(
        "contact",
        requestType,
        { ...validated, email },
        receivedAt,
      );
    },
  }),

  "demo-request": receiveTexts({
    name: "demo-request",
    fields: demoRequestFields,
    failed: demoRequestMessages.failed,
    submit(store, { requestType: _, receivedAt, ...validated }, { productName }) {
      const { fullName, ...others } = validated.typed;
      const email = requestEmail({
        subject: `${productName} demo request`,
        opening: "A demo request has arrived. The sender was promised a reply within 24 hours.",
        fields: demoRequestFields,
        receivedAt,
        ...validated,
      });
      return store.submitContactRequest(
        "demo-request",
        "demo",
        { ...validated, typed: { name: fullName, ...others }, email },
        receivedAt,
      );
    },
  }),

  "demo-upload": receiveFiles({
    name: "demo-upload",
    fields: demoUploadFields,
    requestTypes: ["demo"],
    fileFields: demoUploadFileFields,
    missingFiles: demoUploadMessages.missingFiles,
    failed: demoUploadMessages.failed,
    email(validated, { productName }) {
      const count = validated.files.submissionFiles.length;
      return requestEmail({
        subject: `${productName} demo upload`,
        details: `${count} ${count === 1 ? "submission" : "submissions"}`,
        opening: "A demo upload has arrived. The sender was promised a reply within 24 hours.",
        fields: demoUploadFields,
        fileFields: demoUploadFileFields,
        ...validated,
      });
    },
    submit: (store, request, now) => store.submitDemoUpload(request, now),
  }),

  "rubric-request": receiveFiles({
    name: "rubric-request",
    fields: rubricRequestFields,
    fileFields: rubricFileFields,
    missingFiles: rubricRequestMessages.missingFiles,
    failed: rubricRequestMessages.failed,
    email: (validated, { productName }) =>
      requestEmail({
        subject: `${productName} rubric request`,
        opening:
          "A request for the smart rubric service has arrived. The sender was promised contact within 24-48 hours.",
        fields: rubricRequestFields,
        fileFields: rubricFileFields,
        ...validated,
      }),
    submit: (store, request, now) => store.submitRubricRequest(request, now),
  }),

  subscription: receiveTexts({
    name: "subscription",
    fields: subscriptionFields,
    failed: subscriptionMessages.failed,
    submit: (store, { reference, typed, spam, isTest, receivedAt }) =>
      store.subscribe({ email: typed.email, reference, spam, isTest }, receivedAt),
  }),
};
