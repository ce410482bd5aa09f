import type { Brand } from "../brand.ts";
import { ContactAddress } from "./contact-address.tsx";
import { FilledRows } from "./filled-rows.tsx";

export function OfficerBlock({ brand }: { brand: Brand }) {
  const { informationOfficer, company, email, phone, address, registration } = brand;
  return (
    <section className="officer sheet" aria-labelledby="officer-title">
      <h2 id="officer-title">Data protection officer</h2>
      <dl className="rows">
        <FilledRows
          rows={[
            ["Data protection officer", informationOfficer],
            ["For", [company, registration].filter(Boolean).join(", ")],
            ["Telephone", phone],
            ["Address", address],
            ["Email", <ContactAddress key="email" email={email} />],
          ]}
        />
      </dl>
    </section>
  );
}
