import type { Brand } from "../brand.ts";

/** Whom to write to about one's data. */
export function OfficerBlock({ brand }: { brand: Brand }) {
  const { informationOfficer, company, email, phone, address, registration } = brand;
  const rows = [
    ["Data protection officer", informationOfficer],
    ["For", [company, registration].filter(Boolean).join(", ")],
    ["Telephone", phone],
    ["Address", address],
  ].filter(([, text]) => text);
  return (
    <section className="officer" aria-labelledby="officer-title">
      <h2 id="officer-title">Data protection officer</h2>
      <dl className="rows">
        {rows.map(([label, text]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
        <div>
          <dt>E-mail</dt>
          <dd>
            <a className="onward" href={`mailto:${email}`}>
              {email}
            </a>
          </dd>
        </div>
      </dl>
    </section>
  );
}
