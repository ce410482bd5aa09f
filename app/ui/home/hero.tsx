import type { Brand } from "../../brand.ts";
import { ButtonLink } from "../button.tsx";
import { MarkedScript } from "../marked-script.tsx";

export function Hero({ brand }: { brand: Brand }) {
  return (
    <section className="hero">
      <div className="page columns">
        <div>
          <h1>AI-powered grading, marked the way you mark</h1>
          <p className="lead">
            {brand.name} reads each script against your rubric and proposes a mark and a reason for
            every question: essays, maths, code and short answers, in all eleven official written
            languages of South Africa. You check, change what you like, and sign it off.
          </p>
          <div className="actions">
            <ButtonLink href="#demo">Try Free Demo</ButtonLink>
            <ButtonLink href="#contact" quiet>
              Contact Us
            </ButtonLink>
          </div>
        </div>
        <MarkedScript />
      </div>
    </section>
  );
}
