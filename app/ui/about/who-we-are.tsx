import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { ContactAddress } from "../contact-address.tsx";
import { FilledRows } from "../filled-rows.tsx";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";

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
