import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import { Fold } from "../fold.tsx";
import { SectionText } from "../section-text.tsx";

/** The code and name of each language, in the order of section 6 of the Constitution. */
const languages = [
  ["nso", "Sepedi"],
  ["st", "Sesotho"],
  ["tn", "Setswana"],
  ["ss", "siSwati"],
  ["ve", "Tshivenda"],
  ["ts", "Xitsonga"],
  ["af", "Afrikaans"],
  ["en", "English"],
  ["nr", "isiNdebele"],
  ["xh", "isiXhosa"],
  ["zu", "isiZulu"],
];

/** The eleven supported languages, and the twelfth official one, which is not written. */
export function Languages({ text, brand }: { text: PageText<"features">; brand: Brand }) {
  if (!brand.claims.languages.figure) return null;
  const { languages: section, "languages-tested": tested } = text.sections;
  return (
    <section className="languages rule-above" aria-labelledby="languages-title">
      <div className="page halves">
        <div>
          <SectionText as="h2" id="languages-title" html={section.title} />
          <SectionText html={section.html} />
          <Fold title={tested.title}>
            <SectionText html={tested.html} />
          </Fold>
        </div>
        <Fold title="Language by language">
          <ul className="term">
            {languages.map(([code, name]) => (
              <li key={code} lang={code}>
                {name}
              </li>
            ))}
            <li className="hint">South African Sign Language: not written</li>
          </ul>
        </Fold>
      </div>
    </section>
  );
}
