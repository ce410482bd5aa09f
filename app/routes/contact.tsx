import { contact } from "../forms/contact.ts";
import ContactForm from "../islands/contact.tsx";
import { ContactAddress } from "../ui/contact-address.tsx";
import { FormPage } from "../ui/form-page.tsx";
import { Island } from "../ui/island.tsx";
import { noticeOf } from "../ui/notice-texts.ts";
import { titleWith } from "../ui/title.ts";
import type { Route } from "./+types/contact";
import { formAction, formLoader, formPageHeaders } from "./form-route.ts";

export const loader = formLoader("contact");

export const action = formAction("contact", "/contact");
export const headers = formPageHeaders;

export default function Contact({ loaderData, actionData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  const { retentionDays } = loaderData;
  return (
    <FormPage
      page={loaderData}
      returned={actionData}
      brand={brand}
      title={titleWith("Contact: ask about marking at your school", brand.name)}
      description="Write to us about a class, a subject or your learners’ data. We answer by email."
      path="/contact"
      formHref="/contact"
    >
      <div className="page wide-last contact-page">
        <div>
          <h1>Contact us</h1>
          <p className="lead">
            If it’s about marking, tell us the subject, the level and the number of scripts, so that
            our first answer can be a useful one.
          </p>
          {brand.email && (
            <p>
              You can also write to <ContactAddress email={brand.email} />.
            </p>
          )}
        </div>
        <section className="sheet" aria-labelledby="form-title">
          <h2 id="form-title">Your message</h2>
          <Island
            name="contact"
            component={ContactForm}
            props={{
              action: "/contact",
              requestType: "contact",
              notice: noticeOf(contact, brand, loaderData),
              retentionDays,
              returned: actionData,
            }}
          />
        </section>
        <Answered />
      </div>
    </FormPage>
  );
}

const answers = [
  ["/features#buying-title", "What a school asks first"],
  ["/demo", "Two demos, and how each goes"],
  ["/security-policy", "What is stored, where and who decides"],
  ["/figures", "Where our figures come from"],
];

/** Links to the answers that many visitors look for; below the form on a phone. */
function Answered() {
  return (
    <nav className="flush" aria-labelledby="answered-title">
      <h2 className="term" id="answered-title">
        Perhaps it’s answered already
      </h2>
      <ul>
        {answers.map(([href, text]) => (
          <li key={href}>
            <a className="standalone-link" href={href}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
