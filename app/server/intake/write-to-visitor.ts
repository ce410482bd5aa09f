import type { Store } from "#db/store.ts";
import { newToken } from "#db/token.ts";
import type { FormName } from "../../domain/request.ts";
import { apiPaths, subscriptionPath } from "../../site.ts";
import { type Config, teamAddress } from "../config/config.ts";
import { isDeliverable } from "../email/deliverable.ts";
import {
  acknowledgementEmail,
  confirmationEmail,
  visitorEmailLimits,
} from "../email/visitor-emails.ts";
import { endpoints } from "../http/endpoints.ts";
import type { Log } from "../log.ts";

/** A request that has been stored, and is neither a test nor suspected spam. */
interface Stored {
  form: FormName;
  reference: string;
  /** The address that the visitor typed. */
  address: string;
}

/** Writes to the visitor of a stored request. Never throws: the request is stored. */
export type WriteToVisitor = (stored: Stored) => Promise<void>;

/** Returns a function that puts the email to a visitor into the outbox, if there is to be one. */
export function newVisitorWriter(
  config: Pick<Config, "publicUrl" | "acknowledgesRequests" | "brand" | "mail">,
  store: Pick<Store, "acknowledge" | "askToConfirm">,
  now: () => Date,
  log: Log,
): WriteToVisitor {
  const { publicUrl, acknowledgesRequests } = config;
  const sender = { productName: config.brand.name, team: teamAddress(config) };
  const write = async ({ form, reference, address: recipient }: Stored) => {
    if (form === "subscription") {
      if (!publicUrl) return true;
      const token = newToken();
      const link = `${publicUrl}${subscriptionPath}?token=${token}`;
      const email = confirmationEmail(recipient, sender);
      await store.askToConfirm(email, { token, link }, visitorEmailLimits, now());
      // False for a confirmed address too.
      return true;
    }
    if (!acknowledgesRequests) return true;
    const promise = endpoints.get(apiPaths[form])!.successMessage;
    const email = acknowledgementEmail({ reference, recipient, promise }, sender);
    return await store.acknowledge(reference, email, visitorEmailLimits, now());
  };
  return async (stored) => {
    if (!isDeliverable(stored.address)) return;
    try {
      if (!(await write(stored))) {
        log.warn(`request ${stored.reference} was not acknowledged: a limit for emails is reached`);
      }
    } catch (error) {
      log.error(`request ${stored.reference} is stored, but its visitor gets no email`, error);
    }
  };
}
