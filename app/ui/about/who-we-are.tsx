import type { Brand } from "../../brand.ts";
import { ContactAddress } from "../contact-address.tsx";
import { FilledRows } from "../filled-rows.tsx";
import { Fold } from "../fold.tsx";

export function WhoWeAre({ brand }: { brand: Brand }) {
  const { name, company } = brand;
  return (
    <section className="who-we-are">
      <div className="page">
        <div>
          <h1>A mark needs a person who stands behind it</h1>
          <p className="lead">
            A model can read a pile of scripts. It can’t sit across from a parent and explain one.
            So {name} proposes, and people who teach decide.
          </p>
        </div>
        <AnswerBookCover brand={brand} />
        <div>
          <h2>Who we are</h2>
          <p>
            {company === name ? `We’re ${company}` : `${company} runs ${name}`}, a service that
            grades exams and assignments for educators, mainly in South Africa: CAPS tasks and
            prelims, university assignments, online courses, portfolios from the workplace.
          </p>
          <Fold title="Where the name comes from, and whom we quote">
            <p>
              A rubric was once <i lang="la">rubrica</i>, the red ochre in which scribes wrote
              headings and instructions. We take the word literally. Your rubric says what a mark is
              given for, and the model may not give one for anything else.
            </p>
            <p>
              We print no school’s name and no person’s words before they have agreed to it. Judge
              us by <a href="/#demo">scripts that you have marked yourself</a>.
            </p>
          </Fold>
        </div>
      </div>
    </section>
  );
}

/** Facts about the institution, styled as the cover of an answer book. */
function AnswerBookCover({ brand }: { brand: Brand }) {
  const { name, company, registration, address, phone, email, informationOfficer } = brand;
  return (
    <dl className="cover">
      <FilledRows
        rows={[
          ["Service", name],
          ["Run by", company === name ? "" : company],
          ["Registration number", registration],
          ["Address", address],
          ["Telephone", phone],
          ["For", "Universities and colleges, schools, online courses, workplace training"],
          ["Questions about data", informationOfficer],
        ]}
      />
      <div>
        <dt>E-mail</dt>
        <dd>
          <ContactAddress email={email} />
        </dd>
      </div>
      <div>
        <dt>Marks proposed by</dt>
        <dd>
          {brand.model || "A model"}, checked by our team{brand.reviewers && `: ${brand.reviewers}`}
        </dd>
      </div>
      <div className="decided">
        <dt>Marks decided by</dt>
        <dd>You</dd>
      </div>
    </dl>
  );
}
