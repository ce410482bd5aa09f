import type { Brand } from "../brand.ts";
import { linkDays } from "../domain/service.ts";
import { ContactAddress } from "./contact-address.tsx";
import { recipientsOf } from "./notice-texts.ts";
import "../styles/trust.css";

/**
 * Answers for the person who approves the service. Each row says whether its promise rests on the program,
 * which is the same everywhere, or on the institution that runs it.
 */
export function TrustBlock({ brand, retentionDays }: { brand: Brand; retentionDays: number }) {
  return (
    <section className="trust" id="trust" aria-labelledby="trust-title">
      <h2 id="trust-title">For the person who must approve the service</h2>
      <p>
        Seven questions that a principal, an information officer or an IT manager has to answer
        before learners’ work may leave the building. Beside each answer stands what it rests on,
        and where the policy says more.
      </p>
      <dl>
        <StoredData />
        <Location brand={brand} />
        <HowLong company={brand.company} retentionDays={retentionDays} />
        <Readers brand={brand} />
        <Model brand={brand} />
        <Decision brand={brand} />
        <NotClaimed />
      </dl>
      <p>
        The operator’s contract that section 21 of POPIA requires is{" "}
        <a href="/terms-conditions#14-data-protection">section 14 of our terms</a>, for the demo as
        well. Before you send anything, replace names by candidate numbers, in file names too.
      </p>
    </section>
  );
}

function StoredData() {
  return (
    <Row
      question="What is stored?"
      restsOn="the program, wherever it runs"
      more={[["Privacy, section 2", "/privacy-policy#2-what-we-collect"]]}
    >
      <p>
        What a form asks for: name, e-mail address, contact number, institution if given, and
        message. The files that are chosen, with their names, sizes and a checksum. The time of
        arrival and a reference. For blog updates, the address and the time of consent.
      </p>
      <p>No cookies, no analytics, no scripts from elsewhere.</p>
    </Row>
  );
}

function Location({ brand }: { brand: Brand }) {
  const { hosting, encryption, email, dataCountry } = brand;
  return (
    <Row
      question="Where?"
      restsOn={arrangementOf(brand)}
      more={[
        ["Section 4", "#4-encryption"],
        ["Section 8", "#8-third-parties"],
      ]}
    >
      <p>
        In one SQLite database file on our server; there are no upload folders beside it.
        {hosting && ` We use ${hosting}.`}
      </p>
      <p>
        {encryption} The program doesn’t encrypt its database file itself: encryption at rest is a
        matter of the disk or the hosting service beneath it. The server is in{" "}
        {dataCountry || "a country that we haven’t published"}. Ask <ContactAddress email={email} />
        , and the answer comes in writing.
      </p>
    </Row>
  );
}

function HowLong({ company, retentionDays }: { company: string; retentionDays: number }) {
  return (
    <Row
      question="How long?"
      restsOn="the program, wherever it runs"
      more={[["Privacy, section 8", "/privacy-policy#8-how-long-we-keep-it"]]}
    >
      <p>
        <strong className="figures">{retentionDays} days</strong>. Then the request, its files and
        its e-mails are deleted without anyone having to remember, and their bytes in the database
        file are overwritten. A link to results ends after {linkDays} days, or earlier if it is
        revoked. A paid agreement may set another period.
      </p>
      <p>
        Back-ups, server logs and e-mails already sent lie outside the file, and follow a schedule
        that {company} sets.
      </p>
    </Row>
  );
}

function Readers({ brand }: { brand: Brand }) {
  return (
    <Row
      question="Who reads it?"
      restsOn={arrangementOf(brand)}
      more={[["Section 3", "#3-authentication-and-access-control"]]}
    >
      <p>
        People on our team who need it for their work, by a command on the server. No web address
        returns an uploaded file, not even to its sender. The e-mail that tells the team of a
        request names the files and never carries them.
      </p>
      <p>
        {recipientsOf(brand)} Providers of e-mail carry our messages and yours. We give the names of
        all of them in writing.
      </p>
    </Row>
  );
}

function Model({ brand }: { brand: Brand }) {
  return (
    <Row
      question="What does the model do?"
      restsOn={arrangementOf(brand)}
      more={[["Section 8", "#8-third-parties"]]}
    >
      <p>
        The model is {brand.model || "one whose maker we haven’t published"}
        {brand.modelCountry && `, in ${brand.modelCountry}`}. It gets the files that staff give it,
        and proposes a mark and a reason for each question. It decides nothing. If another company
        runs it for us, a written contract forbids training on the files; we ourselves train on none
        unless the institution has agreed in writing.
      </p>
    </Row>
  );
}

function Decision({ brand }: { brand: Brand }) {
  return (
    <Row
      question="Who decides the mark?"
      restsOn="a person at the institution"
      more={[["Privacy, section 10", "/privacy-policy#10-automated-decision-making"]]}
    >
      <p>
        An educator, always. For work sent through this website a person on our team checks what the
        model proposed{brand.reviewers && ` (${brand.reviewers})`}; in an institution’s own
        workspace its staff do. The educator agrees, changes or rejects, and decides what the
        learner receives. Section 71 of POPIA guards people against decisions that a machine takes
        alone. Here it takes none.
      </p>
    </Row>
  );
}

function NotClaimed() {
  return (
    <Row
      question="What don’t we claim?"
      restsOn="the program, wherever it runs"
      more={[
        ["Section 5", "#5-monitoring-and-audit-trails"],
        ["Section 7", "#7-legal-compliance"],
      ]}
    >
      <p>
        A virus scan. We check that a file is what its name says, and refuse encrypted files and
        macros; that is less than a scan. A security certificate for the program: it holds none. A
        hosting provider’s certificate covers that provider’s facilities, and not our software or
        our staff.
      </p>
    </Row>
  );
}

const arrangementOf = ({ company }: Brand) => `${company}’s arrangement`;

function Row({
  question,
  restsOn,
  more,
  children,
}: {
  question: string;
  restsOn: string;
  /** Links to the policies' full text. */
  more: [label: string, href: string][];
  children: React.ReactNode;
}) {
  return (
    <div>
      <dt>{question}</dt>
      <dd>{children}</dd>
      <dd className="rests-on">
        <p>Rests on {restsOn}</p>
        {more.map(([label, href]) => (
          <a key={href} href={href}>
            {label}
          </a>
        ))}
      </dd>
    </div>
  );
}
