import type { Brand } from "../brand.ts";
import type { PageText, TextSection } from "../domain/page-text.ts";
import { ButtonLink } from "./button.tsx";
import { ContactAddress } from "./contact-address.tsx";
import { demoLabel } from "./demo-label.ts";
import { FilledRows } from "./filled-rows.tsx";
import { Fold } from "./fold.tsx";
import { PageSection, SectionText } from "./section-text.tsx";

export function WhoWeAre({ text, brand }: { text: PageText<"about">; brand: Brand }) {
  const { hero, "who-we-are": who, name } = text.sections;
  return (
    <section>
      <div className="page wide-first">
        <div>
          <SectionText as="h1" html={hero.title} />
          <SectionText className="lead" html={hero.html} />
          <div className="after-text">
            <SectionText as="h2" html={who.title} />
            <SectionText html={who.html} />
            {name.html && (
              <Fold title={name.title}>
                <SectionText html={name.html} />
              </Fold>
            )}
          </div>
        </div>
        <AnswerBookCover brand={brand} />
      </div>
    </section>
  );
}

/** Facts about the institution, styled as the cover of an answer book. */
function AnswerBookCover({ brand }: { brand: Brand }) {
  const { name, company, registration, address, phone, email, informationOfficer } = brand;
  return (
    <dl className="sheet cover ruled">
      <FilledRows
        rows={[
          ["Service", name],
          ["Run by", company === name ? "" : company],
          ["Registration number", registration],
          ["Address", address],
          ["Telephone", phone],
          ["For", brand.audience],
          ["Marks proposed by", brand.model],
          ["Questions about data", informationOfficer],
          ["Email", <ContactAddress key="email" email={email} />],
          ["Marks decided by", "Markers, each by name, and you"],
        ]}
      />
    </dl>
  );
}

export function Marking({ text: { sections } }: { text: PageText<"about"> }) {
  const { title, html, items } = sections.marking;
  const lastSigned = items.findLast(({ note }) => note);
  return (
    <PageSection className="leaf" id="marking" titleId="marking-title" title={title}>
      <SectionText className="lead" html={html} />
      <ol className="answer-sheet marking-steps">
        {items.map((step) => (
          <li key={step.title}>
            <SectionText as="h3" html={step.title} />
            <SectionText className="flush" html={step.html} />
            {step.note && (
              <div className="hint">
                <Signature isLast={step === lastSigned} />
                <SectionText className="flush" html={step.note} />
              </div>
            )}
          </li>
        ))}
      </ol>
      <div className="ruled">
        <div className="thirds">
          <Capability section={sections["model-does"]} className="ticked" />
          <Capability section={sections["model-does-not"]} className="crossed" />
          <Capability section={sections["what-goes-wrong"]} />
        </div>
      </div>
    </PageSection>
  );
}

function Capability({ section, className }: { section: TextSection; className?: string }) {
  const { title, html } = section;
  return (
    <div>
      <SectionText as="h3" html={title} />
      <Fold title={title}>
        <SectionText className={className} html={html} />
      </Fold>
    </div>
  );
}

/** A made-up signature; the person who signs last has a different one. */
function Signature({ isLast }: { isLast: boolean }) {
  return (
    <svg className="signature" viewBox="0 0 150 40" width="150" height="40" aria-hidden="true">
      <path
        d={
          isLast
            ? "M10 10c10-6 18 0 12 9S6 36 14 35 34 8 40 9s-14 25-6 25 12-17 16-15-3 13 4 13 8-12 13-12-1 11 6 11 9-7 14-7 8 5 15 2 26-5 40-12"
            : "M6 31C14 6 24 2 22 14S10 35 15 25 33 6 34 16s-5 17 3 8 9-13 11-4 8 5 13-2 8 9 13 2 7-7 10-1 10 4 16 0 26-5 44-7"
        }
      />
    </svg>
  );
}

export function Data({ text }: { text: PageText<"about"> }) {
  const { title, html, items } = text.sections.data;
  return (
    <PageSection titleId="data-title" title={title}>
      <ol className="timeline">
        {items.map(({ title, html }) => (
          <li key={title}>
            <SectionText as="h3" html={title} />
            <SectionText html={html} />
          </li>
        ))}
      </ol>
      <Fold title="Files, hosting and backups">
        <SectionText className="thirds" html={html} />
      </Fold>
    </PageSection>
  );
}

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
