import type { Brand } from "../../brand.ts";

export function ContactSection({ brand }: { brand: Brand }) {
  return (
    <section className="contact" id="contact" aria-labelledby="contact-title">
      <div className="page">
        <h2 id="contact-title">Ask us</h2>
        <p className="lead">
          About a pilot at your school, a subject we have not named, or how your data is handled: a
          person answers.
        </p>
        <p>
          <a className="mail" href={`mailto:${brand.email}`}>
            {brand.email}
          </a>
        </p>
      </div>
    </section>
  );
}
