import type { Brand } from "../brand.ts";

/** The email address as a link; the contact page if the institution has stated none. */
export function ContactAddress({ email }: Pick<Brand, "email">) {
  return email ? <a href={`mailto:${email}`}>{email}</a> : <a href="/contact">our contact page</a>;
}
