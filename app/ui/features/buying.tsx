import type { Brand } from "../../brand.ts";
import { BuyerAnswers } from "../buyer-answers.tsx";

export function Buying({ brand }: { brand: Brand }) {
  return (
    <section className="subjects" aria-labelledby="buying-title">
      <div className="page">
        <h2 id="buying-title">What a school asks before it buys</h2>
        <BuyerAnswers brand={brand} />
        <p>
          <a href="/contact">Ask for a quotation</a>, or <a href="/demo">choose a demo</a> first.
        </p>
      </div>
    </section>
  );
}
