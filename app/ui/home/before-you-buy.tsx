import type { Brand } from "../../brand.ts";
import { BuyerAnswers } from "../buyer-answers.tsx";

export function BeforeYouBuy({ brand }: { brand: Brand }) {
  return (
    <section className="features" aria-labelledby="buying-title">
      <div className="page">
        <h2 id="buying-title">What a school asks before it buys</h2>
        <BuyerAnswers brand={brand} isBrief />
        <p>
          <a className="standalone-link" href="/features#buying-title">
            What a workspace is, how a pilot goes, and what happens after a demo
          </a>
        </p>
      </div>
    </section>
  );
}
