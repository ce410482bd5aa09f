import type { Brand } from "../../brand.ts";

export function Testimonials({ testimonials }: Pick<Brand, "testimonials">) {
  if (testimonials.length === 0) return null;
  return (
    <section className="testimonials" aria-labelledby="testimonials-title">
      <div className="page">
        <h2 id="testimonials-title">What people who mark say</h2>
        <p className="faded">Attributed by role, not by name.</p>
        <div className="quotes">
          {testimonials.map(({ quote, role }) => (
            <figure key={role}>
              <blockquote>
                <p>“{quote}”</p>
              </blockquote>
              <figcaption>{role}</figcaption>
            </figure>
          ))}
        </div>
      </div>
    </section>
  );
}
