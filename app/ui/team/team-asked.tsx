import { formatMomentOf } from "../../domain/day.ts";
import { type LeadQuestion, maxAsked } from "../../domain/lead-question.ts";
import { Field } from "../form-field.tsx";
import { errorOf, replyTo, Sent, TeamForm, TeamPart } from "./part.tsx";
import type { ShownTeam } from "./team-page.tsx";

export function TeamAsked({ shown }: { shown: ShownTeam }) {
  const { open, replied, waiting } = shown.request.questions;
  const own = replyTo("asked", shown);
  if (waiting + replied.length === 0 && !own) return null;
  const isListed = open.some(({ id }) => String(id) === own?.typed.id);
  const more = waiting - open.length;
  return (
    <TeamPart
      id="asked"
      title="Questions to the lead"
      state={waiting === 0 ? "Every question has a reply." : `${waiting} without a reply.`}
      shown={shown}
    >
      {own?.error && !isListed && <Sent typed={own.typed} />}
      {open.map((question) => (
        <OpenQuestion key={question.id} question={question} shown={shown} />
      ))}
      {more > 0 && <p>{`and ${more} more, once these have a reply.`}</p>}
      {replied.length > 0 && (
        <details>
          <summary>Those with a reply, newest first</summary>
          <ul>
            {replied.map(({ id, ...question }) => (
              <li key={id}>
                {`${aboutOf(question)}: “${question.text}” `}
                <b>{question.reply}</b>
              </li>
            ))}
          </ul>
        </details>
      )}
    </TeamPart>
  );
}

function OpenQuestion({ question, shown }: { question: LeadQuestion; shown: ShownTeam }) {
  const { id, text, askedAt } = question;
  const { by, typed } = shown.reply ?? {};
  const error = errorOf(shown, "asked-reply", id);
  return (
    <TeamForm
      shown={shown}
      intent="asked-reply"
      button="Reply"
      buttonAbout={`: ${aboutOf(question)}`}
      id={id}
    >
      <input type="hidden" name="id" value={id} />
      <Field
        id={`reply-${id}`}
        label={`${aboutOf(question)}: “${text}”`}
        hint={`Asked ${formatMomentOf(askedAt)}. The marker reads the reply beside the work, while the link is open.`}
        error={by ? error : undefined}
      >
        <textarea
          name="reply"
          rows={2}
          maxLength={maxAsked}
          defaultValue={error && typed?.reply}
          required
        />
      </Field>
    </TeamForm>
  );
}

const aboutOf = ({
  marker,
  learner,
  learnerNumber,
  questionNumber,
}: Omit<LeadQuestion, "id">): string =>
  `${marker}, on ${learner} (${learnerNumber}), question ${questionNumber}`;
