import type { Store } from "#db/store.ts";
import type { Brand } from "../../brand.ts";
import type { NewRequest, StoredRequest } from "../../domain/new-request.ts";
import { columnOf, type Form } from "../../forms/form.ts";
import { replyTimeOf } from "../../forms/reply-time.ts";
import { requestEmail } from "../email/compose.ts";

/** A valid post with everything that its request needs but the email. */
type AcceptedPost = Omit<NewRequest, "email" | "texts"> & {
  /** The validated texts, by field. */
  typed: Record<string, string | undefined>;
};

/** Stores an accepted post as a request, with the email that reports it to the team; a subscription has no email. */
export function storeRequest(
  store: Store,
  { name, ...form }: Form,
  { typed, ...accepted }: AcceptedPost,
  { receivedAt, brand }: { receivedAt: Date; brand: Brand },
): Promise<StoredRequest> {
  if (name === "subscription") {
    const { reference, spam, isTest } = accepted;
    return store.subscribe({ email: typed.email!, reference, spam, isTest }, receivedAt);
  }
  const columns = Object.entries(typed).map(([field, text]) => [columnOf(form, field), text]);
  const about = { receivedAt, productName: brand.name, aim: replyTimeOf(form, brand).aim };
  const email = requestEmail(form, { ...accepted, typed }, about);
  const texts = Object.fromEntries(columns);
  return store.submitRequest(name, { ...accepted, texts, email }, receivedAt);
}
