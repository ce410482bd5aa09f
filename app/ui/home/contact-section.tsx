import type { Brand } from "../../brand.ts";
import type { Problem } from "../../domain/problem.ts";
import { contact } from "../../forms/contact.ts";
import Contact from "../../islands/contact.tsx";
import { ContactAddress } from "../contact-address.tsx";
import { Island } from "../island.tsx";
import { noticeOf } from "../notice-texts.ts";

export function ContactSection({
  brand,
  retentionDays,
  ...form
}: {
  brand: Brand;
  retentionDays: number;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
}) {
  return (
    <section className="contact" id="contact" aria-labelledby="contact-title">
      <div className="page columns">
        <div>
          <h2 id="contact-title">Contact us</h2>
          <p className="lead">
            About a pilot at your school, a subject we have not named, or how your data is handled:
            a person answers.
          </p>
          {brand.email && (
            <p>
              Or write to <ContactAddress email={brand.email} />
            </p>
          )}
        </div>
        <Island
          name="contact"
          component={Contact}
          props={{
            action: "/?index",
            requestType: "demo",
            notice: noticeOf(contact, brand, retentionDays),
            retentionDays,
            ...form,
          }}
        />
      </div>
    </section>
  );
}
