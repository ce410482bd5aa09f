import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { ButtonLink } from "../button.tsx";
import { ContactAddress } from "../contact-address.tsx";
import { demoLabel } from "../demo-label.ts";
import { PageSection, SectionText } from "../section-text.tsx";

export function ContactDetails({ text, brand }: { text: PageText<"about">; brand: Brand }) {
  const { email, phone } = brand;
  const { title, html } = text.sections.contact;
  return (
    <PageSection titleId="contact-title" title={title}>
      <SectionText html={html} />
      {(email || phone) && (
        <p className="links term">
          {email && <ContactAddress email={email} />}
          {phone && <span>{phone}</span>}
        </p>
      )}
      <div className="actions no-print">
        <ButtonLink href="/contact">Write to us</ButtonLink>
        <a href="/#demo">{demoLabel(brand)}</a>
      </div>
    </PageSection>
  );
}
