import type { Brand } from "../../brand.ts";
import { maxSubmissions, replyHours } from "../../domain/service.ts";
import { ButtonLink } from "../button.tsx";
import { MarkedScript } from "../marked-script.tsx";
import { DemoVideo } from "./demo-video.tsx";

export function Hero({ brand }: { brand: Brand }) {
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="page">
        <h1 id="hero-title">
          <span>AI-powered grading,</span> <span>in pencil.</span>{" "}
          <span>The red pen stays yours.</span>
        </h1>
        <p className="lead">
          {brand.name} reads essays, tests and exam scripts against your rubric and pencils in a
          mark and a reason for each answer.
        </p>
        <div className="actions">
          <ButtonLink href="#demo">Try Free Demo</ButtonLink>
          <ButtonLink href="#contact" quiet>
            Contact Us
          </ButtonLink>
        </div>
        <p className="promise">
          For teachers in South Africa. The demo is free, and marked within {replyHours} hours.
        </p>
        <MarkedScript />
        <p className="rest">
          You agree, change it or strike it out: our terms let no mark reach a learner before a
          teacher has decided it. For the demo: a question paper, its rubric or memo, up to{" "}
          {maxSubmissions} scripts. No account. What comes back is a page of marks and reasons.{" "}
          <a href="/demo">Two demos to choose from</a>. <a href="#video">Watch it first</a>
        </p>
      </div>
      <div className="page">
        <DemoVideo />
      </div>
    </section>
  );
}
