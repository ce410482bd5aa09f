import type { Brand } from "../../brand.ts";

export function Testimonials({ brand }: { brand: Brand }) {
  const { testimonials, testimonialsTitle, testimonialsNote } = brand;
  if (testimonials.length === 0) return null;
  return (
    <section aria-labelledby="testimonials-title">
      <div className="page">
        <h2 id="testimonials-title">{testimonialsTitle}</h2>
        {testimonialsNote && <p className="faded">{testimonialsNote}</p>}
        <div className="thirds">
          {testimonials.map(({ quote, role }) => (
            <figure key={role} className="noted flush">
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
