import type { Brand } from "../../brand.ts";
import type { PageText } from "../../domain/page-text.ts";
import type { ReturnedForm } from "../../domain/problem.ts";
import { contact } from "../../forms/contact.ts";
import { demoUpload } from "../../forms/demo-upload.ts";
import { replyTimeOf } from "../../forms/reply-time.ts";
import Contact from "../../islands/contact.tsx";
import DemoUpload from "../../islands/demo-upload.tsx";
import { Notice } from "../../islands/form/notice.tsx";
import type { UploadFormIsland } from "../../islands/form/upload-form.tsx";
import Sample from "../../islands/sample.tsx";
import { sampleDeskUrl } from "../../site.ts";
import { ButtonLink } from "../button.tsx";
import { ClassPicture } from "../class-picture.tsx";
import { ContactAddress } from "../contact-address.tsx";
import { demoLabel } from "../demo-label.ts";
import { Drawing } from "../drawing.tsx";
import { Fold } from "../fold.tsx";
import { Island } from "../island.tsx";
import { noticeOf } from "../notice-texts.ts";
import { PageSection, SectionText } from "../section-text.tsx";
import { AnimatedScript } from "./animated-script.tsx";
import { DemoVideo, showsVideo } from "./demo-video.tsx";
import smallDesk from "./small-desk.svg?raw";

export function Hero({ text, brand }: { text: PageText<"home">; brand: Brand }) {
  const { title, html, note } = text.sections.hero;
  return (
    <section className="hero" aria-labelledby="hero-title">
      <div className="page halves centred">
        <div>
          <SectionText as="h1" id="hero-title" html={title} />
          <SectionText className="lead flush" html={html} />
          <div className="actions">
            <ButtonLink href="#demo">{demoLabel(brand)}</ButtonLink>
            <ButtonLink href="#contact" quiet>
              Contact Us
            </ButtonLink>
          </div>
          <SectionText className="hint flush" html={note} />
        </div>
        <AnimatedScript hasModel={Boolean(brand.model)} />
      </div>
      {showsVideo(brand) && <DemoVideo />}
    </section>
  );
}

/** An answer that visitors mark before they see the marks of others. Works without script. */
export function MarkItYourself({ text }: { text: PageText<"home"> }) {
  const { "mark-it": section, verdicts } = text.sections;
  return (
    <section className="mark-it rule-above" aria-labelledby="mark-title">
      <div className="page wide-last">
        <div>
          <SectionText as="h2" id="mark-title" html={section.title} />
          <SectionText className="lead" html={section.html} />
        </div>
        <div className="sheet with-margin">
          <p>
            <b className="in-margin figures">4.1</b> Explain why a veld fire runs faster uphill than
            on level ground. <span className="figures">(3)</span>
          </p>
          <p className="hand">
            The fire wants to go up and it makes the grass there warm and dry before it comes.
          </p>
          <fieldset className="cluster">
            <legend>Your mark</legend>
            {verdicts.items.map(({ title }) => (
              <label key={title} className="check">
                <input type="radio" name="your-mark" value={title} className={`gives-${title}`} />
                <span className="figures">{title}</span>
              </label>
            ))}
          </fieldset>
          <details>
            <summary className="button">Give your mark</summary>
            <p className="unmarked field-error">Choose 0, 1, 2 or 3 first.</p>
            <Answers text={text} />
          </details>
        </div>
      </div>
    </section>
  );
}

function Answers({ text: { sections } }: { text: PageText<"home"> }) {
  return (
    <div className="answers">
      {sections.verdicts.items.map(({ title, html }) => (
        <div key={title} className={`given given-${title}`}>
          <b className="in-margin pen figures">{title}</b>
          <SectionText html={html} />
          <p>Your mark stands.</p>
        </div>
      ))}
      <dl className="rows">
        {sections["mark-it"].items.map(({ title, html, note }) => (
          <div key={title}>
            <SectionText as="dt" html={title} />
            {/* Only a proposal has a note: its mark, in pencil in the margin. */}
            <dd className={note && "pencil"}>
              {note && <SectionText className="in-margin figures" html={note} />}
              <SectionText html={html} />
            </dd>
          </div>
        ))}
      </dl>
      <p className="hint">
        The answer and the marks are made up.{" "}
        <a className="standalone-link" href={sampleDeskUrl}>
          Mark six more on the sample desk
        </a>
      </p>
    </div>
  );
}

export function DeskSection({ text, brand }: { text: PageText<"home">; brand: Brand }) {
  const { title, html } = text.sections.desk;
  const proposal = brand.model && "3 was proposed, in pencil, and struck out; ";
  return (
    <section aria-labelledby="desk-title">
      <div className="page halves">
        <div>
          <SectionText as="h2" id="desk-title" html={title} />
          <SectionText html={html} />
        </div>
        <Drawing
          svg={smallDesk}
          hasModel={Boolean(brand.model)}
          className="marked-script desk-picture"
          role="img"
          aria-label={`The marking desk. On the left a learner’s page with a tick and a comment in red. On the right the question: ${proposal}4 of 4 was decided, in red.`}
        />
      </div>
    </section>
  );
}

export function ClassOnOnePage({ text }: { text: PageText<"home"> }) {
  const { title, html } = text.sections.class;
  return (
    <section className="class-on-one-page rule-above" aria-labelledby="class-title">
      <div className="page halves centred">
        <div>
          <SectionText as="h2" id="class-title" html={title} />
          <SectionText html={html} />
        </div>
        <ClassPicture />
      </div>
    </section>
  );
}

export function FeatureList({ text }: { text: PageText<"home"> }) {
  const { title, items } = text.sections.features;
  return (
    <PageSection className="features rule-above" titleId="features-title" title={title}>
      <dl className="ledger">
        {items.map(({ title, html, note }) => (
          <div key={title}>
            <SectionText as="dt" className="term" html={title} />
            <dd>
              <Fold title={title}>
                <SectionText html={html} />
              </Fold>
            </dd>
            {note && <SectionText as="dd" html={note} />}
          </div>
        ))}
      </dl>
      <p className="links">
        <a href="/features">All features, with examples</a>
        <a href="/features#buying-title">What a school asks first</a>
      </p>
    </PageSection>
  );
}

export function DemoSection({
  text,
  brand,
  mailsFiles,
  ...form
}: Omit<UploadFormIsland, "reply"> & {
  text: PageText<"home">;
  brand: Brand;
  mailsFiles: boolean;
}) {
  const { title, html } = text.sections.demo;
  const notice = noticeOf(demoUpload, brand, { ...form, mailsFiles });
  return (
    <PageSection className="demo desk" id="demo" titleId="demo-title" title={title}>
      <BeforeForm lead={html} notice={notice} />
      <Island
        name="demo-upload"
        component={DemoUpload}
        props={{
          product: brand.name,
          hasModel: Boolean(brand.model),
          notice,
          reply: replyTimeOf(demoUpload, brand),
          ...form,
        }}
      />
    </PageSection>
  );
}

/** The introduction of the form, which CSS hides once a receipt has replaced the form. */
function BeforeForm({ lead, notice }: { lead: string; notice: string }) {
  return (
    <div className="before-form halves">
      <div>
        <SectionText className="lead" html={lead} />
        <Island name="sample" component={Sample} props={{}} />
      </div>
      <details className="advice noted">
        <summary>
          <strong>
            First remove learners’ names and ID numbers, and be sure that you may share this work.
          </strong>
        </summary>
        <p>
          Your school or institution can tell you whether you may. A number in place of a name is
          enough for us.
        </p>
        <Notice text={notice} hasFiles />
      </details>
    </div>
  );
}

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

export function ContactSection({
  text,
  brand,
  retentionDays,
  mailsFiles,
  returned,
}: {
  text: PageText<"home">;
  brand: Brand;
  retentionDays: number;
  mailsFiles: boolean;
  returned: ReturnedForm | undefined;
}) {
  const { title, html } = text.sections.contact;
  return (
    <section id="contact" aria-labelledby="contact-title">
      <div className="page wide-last">
        <div>
          <SectionText as="h2" id="contact-title" html={title} />
          <SectionText className="lead" html={html} />
          {brand.email && (
            <p>
              Or write to <ContactAddress email={brand.email} />
            </p>
          )}
        </div>
        <Island
          name="contact"
          component={Contact}
          props={{
            action: "/?index&form=contact",
            requestType: "demo",
            notice: noticeOf(contact, brand, { retentionDays, mailsFiles }),
            retentionDays,
            returned,
          }}
        />
      </div>
    </section>
  );
}
