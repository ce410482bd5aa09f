import type { Brand } from "../../brand.ts";
import type { Problem } from "../../domain/problem.ts";
import type { Receipt } from "../../domain/receipt.ts";
import Contact from "../../islands/contact.tsx";
import Received from "../../islands/received.tsx";
import { Island } from "../island.tsx";

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
}) {
  return (
    <section className="contact" id="contact" aria-labelledby="contact-title">
      <div className="page columns">
        <div>
          <h2 id="contact-title">Contact us</h2>
          <p className="lead">
            About a pilot at your school, a subject we have not named, or how your data is handled:
            a person answers.
          </p>
          <p>
            Or write to <a href={`mailto:${brand.email}`}>{brand.email}</a>
          </p>
        </div>
        {receipt ? (
          <Island name="received" component={Received} props={{ receipt }} />
        ) : (
          <Island
            name="contact"
            component={Contact}
            props={{ action: "/?index", requestType: "demo", company: brand.company, ...form }}
          />
        )}
      </div>
    </section>
  );
}
