import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import type { ReturnedForm } from "../../domain/problem.ts";
import { contact } from "../../forms/contact.ts";
import Contact from "../../islands/contact.tsx";
import { ContactAddress } from "../contact-address.tsx";
import { Island } from "../island.tsx";
import { noticeOf } from "../notice-texts.ts";
import { SectionText } from "../section-text.tsx";

export function ContactSection({
  text,
  brand,
  retentionDays,
  returned,
}: {
  text: PageText<"home">;
  brand: Brand;
  retentionDays: number;
  returned: ReturnedForm | undefined;
}) {
  const { title, html } = text.sections.contact;
  return (
    <section id="contact" aria-labelledby="contact-title">
      <div className="page wide-last">
        <div>
          <SectionText as="h2" id="contact-title" html={title} />
          <SectionText className="lead" html={html} />
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
            action: "/?index&form=contact",
            requestType: "demo",
            notice: noticeOf(contact, brand, retentionDays),
            retentionDays,
            returned,
          }}
        />
      </div>
    </section>
  );
}
