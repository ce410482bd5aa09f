import type { Brand } from "../../brand.ts";

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
  return (
    <section className="languages" aria-labelledby="languages-title">
      <div className="page beside">
        <div>
          <h2 id="languages-title">Eleven official languages, and a twelfth that is not written</h2>
          <p>
            {brand.name} takes scripts and rubrics, and writes feedback, in the eleven official
            languages of South Africa that are written. The twelfth is signed, and is not marked
            here.
          </p>
          <p>
            Eleven is our claim. Five scripts in your language that you have marked already, and a
            colleague who speaks it, will test it.
          </p>
        </div>
        <ul>
          {languages.map(([code, name]) => (
            <li key={code} lang={code}>
              {name}
            </li>
          ))}
          <li className="open">South African Sign Language: not written</li>
        </ul>
      </div>
    </section>
  );
}
