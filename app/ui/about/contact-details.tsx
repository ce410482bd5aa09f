import type { Brand } from "../../brand.ts";
import { ButtonLink } from "../button.tsx";
import { ContactAddress } from "../contact-address.tsx";

export function ContactDetails({ brand }: { brand: Brand }) {
  const { email, phone } = brand;
  return (
    <section className="contact" aria-labelledby="contact-title">
      <div className="page">
        <h2 id="contact-title">Contact</h2>
        <p>About a pilot, a subject, your data or an invoice: a person reads and answers it.</p>
        <p className="mail">
          {email && <ContactAddress email={email} />}
          {phone && <span>{phone}</span>}
        </p>
        <div className="actions no-print">
          <ButtonLink href="/contact">Write to us</ButtonLink>
          <a href="/#demo">Try the free demo</a>
        </div>
      </div>
    </section>
  );
}
