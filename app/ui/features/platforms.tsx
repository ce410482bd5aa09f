import type { Brand } from "../../brand.ts";

export function Platforms({ integrations }: Pick<Brand, "integrations">) {
  if (integrations.length === 0) return null;
  return (
    <section className="platforms" aria-labelledby="platforms-title">
      <div className="page">
        <h2 id="platforms-title">LMS compatibility: it works where your course already is</h2>
        <p>
          A connection belongs to a workspace and is set up with your administrator. Before you rely
          on one, ask to see a class go through it. The demo on this site needs none: it takes
          files.
        </p>
        <ul>
          {integrations.map(({ name, text }) => (
            <li key={name}>
              <h3>{name}</h3>
              <p>{text}</p>
            </li>
          ))}
          <li>
            <h3>Custom Solutions</h3>
            <p>
              A flexible API for a platform of your own, on request: questions, rubric and
              submissions go in; marks, reasons and reports come out.
            </p>
            <p>
              <a href="/contact">Tell us about your platform</a>
            </p>
          </li>
        </ul>
      </div>
    </section>
  );
}
