import type { Brand } from "../../brand.ts";
import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import { ContactForm } from "../contact-form.tsx";
import { StaticHtml } from "../static-html.tsx";
import { ThankYou } from "../thank-you.tsx";

export function ContactSection({
  brand,
  receipt,
  ...form
}: {
  brand: Brand;
  retentionDays: number;
  receipt: Receipt | null;
  problem: Problem | undefined;
  typed: Record<string, string> | undefined;
  onReceived: (receipt: Receipt) => void;
  onResponse: () => void;
}) {
  return (
    <section className="contact" id="contact" aria-labelledby="contact-title" data-needs-script>
      <div className="page columns">
        <div>
          <StaticHtml id="contact-head">
            {import.meta.env.SSR && (
              <>
                <h2 id="contact-title">Contact us</h2>
                <p className="lead">
                  About a pilot at your school, a subject we have not named, or how your data is
                  handled: a person answers.
                </p>
                <p>
                  Or write to <a href={`mailto:${brand.email}`}>{brand.email}</a>
                </p>
              </>
            )}
          </StaticHtml>
        </div>
        {receipt ? (
          <ThankYou receipt={receipt} />
        ) : (
          <ContactForm action="/?index" requestType="demo" company={brand.company} {...form} />
        )}
      </div>
    </section>
  );
}
