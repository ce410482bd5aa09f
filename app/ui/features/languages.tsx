import type { Brand } from "../../brand.ts";
import { FigureLink } from "../figure-link.tsx";
import { Fold } from "../fold.tsx";

/** In the order of section 6 of the Constitution. */
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
export function Languages({ brand }: { brand: Brand }) {
  if (!brand.claims.languages.figure) return null;
  return (
    <section className="languages" aria-labelledby="languages-title">
      <div className="page beside">
        <div>
          <h2 id="languages-title">Eleven official languages, and a twelfth that isn’t written</h2>
          <p>
            {brand.name} takes scripts and rubrics, and writes feedback, in every official language
            of South Africa that is written. The twelfth is signed, and isn’t marked here.
          </p>
          <Fold title="What that rests on">
            We claim all eleven (<FigureLink claim="languages" />) and have published no test of
            any. Send five scripts that you have already marked, and let a colleague who speaks the
            language read what comes back.
          </Fold>
        </div>
        <Fold title="Language by language">
          <ul>
            {languages.map(([code, name]) => (
              <li key={code} lang={code}>
                {name}
              </li>
            ))}
            <li className="open">South African Sign Language: not written</li>
          </ul>
        </Fold>
      </div>
    </section>
  );
}
