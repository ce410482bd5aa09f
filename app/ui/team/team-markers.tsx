import { counted } from "../../domain/counted.ts";
import { formatDayOf, formatMomentOf } from "../../domain/day.ts";
import type { ListedMarkingLink } from "../../domain/desk.ts";
import type { MarkerFigures, TeamPageData } from "../../domain/team.ts";
import { Field } from "../form-field.tsx";
import { replyTo, TeamForm, TeamPart, typedAgain } from "./part.tsx";
import { AgreementLink } from "./team-agreement.tsx";
import { Checkbox } from "./team-class.tsx";
import type { ShownTeam } from "./team-page.tsx";

export function TeamMarkers({ shown }: { shown: ShownTeam }) {
  const { markers } = shown.request;
  const open = markers.filter(({ state }) => state === "open");
  const state = open.length === 0 ? "No link is open." : `${counted(open.length, "open link")}.`;
  const desk = replyTo("markers", shown)?.desk;
  return (
    <TeamPart id="markers" title="Questions and markers" state={state} shown={shown}>
      {desk && (
        <p>
          <a className="button" href={desk}>
            Go to the desk
          </a>
        </p>
      )}
      {markers.length > 0 && (
        <ul className="plain">
          {markers.map((link) => (
            <Marker key={link.id} link={link} shown={shown} />
          ))}
        </ul>
      )}
      {markers.some(({ decisions }) => decisions > 0) && (
        <AgreementLink
          shown={shown}
          part="markers"
          text="What each marker gave, and how they agree"
        />
      )}
      <p>
        The questions are set on the desk, and so are absent learners, joined files and problem
        pages.
      </p>
      <TeamForm
        shown={shown}
        intent="markers-desk"
        button="Open the desk myself"
        isNext={shown.nextPart === "markers"}
      />
      <NewMarker shown={shown} />
    </TeamPart>
  );
}

function Marker({ link, shown }: { link: TeamPageData["markers"][number]; shown: ShownTeam }) {
  const { id, marker, email, state, openedAt, decisions, figures, lastDecisionAt, expiresAt } =
    link;
  const parts = [
    email,
    state === "open" ? `until ${formatDayOf(expiresAt)}` : state,
    link.questions &&
      `question${link.questions.length === 1 ? "" : "s"} ${link.questions.join(", ")}`,
    link.learners && counted(link.learners.length, "learner"),
    link.tolerance !== null && "second marker",
    openedAt ? `opened ${formatMomentOf(openedAt)}` : "not opened yet",
    figures ? figuresText(figures) : decidedText(decisions),
    lastDecisionAt && `last mark ${formatMomentOf(lastDecisionAt)}`,
  ];
  return (
    <li>
      <p>
        <b>{marker}</b>
        {`: ${parts.filter(Boolean).join("; ")}.`}
      </p>
      {state === "open" && (
        <>
          <TeamForm
            shown={shown}
            intent="markers-close"
            button={`Close the link of ${marker}`}
            id={id}
          >
            <input type="hidden" name="id" value={id} />
          </TeamForm>
          <HandOver link={link} shown={shown} />
        </>
      )}
    </li>
  );
}

const decidedText = (count: number) =>
  count === 0 ? "nothing decided" : counted(count, "decision");

function figuresText({ decided, meanShare, twice }: MarkerFigures): string {
  const mean = `${counted(decided, "answer")} decided, ${Math.round(meanShare * 100)}% of the marks on average`;
  if (!twice) return mean;
  const { count, same, kappa } = twice;
  return `${mean}; with the other marker of the same answers ${same} of ${count} are equal, kappa ${kappa === null ? "undefined" : kappa.toFixed(2)}`;
}

function HandOver({ link: { id, marker }, shown }: { link: ListedMarkingLink; shown: ShownTeam }) {
  const { reply, formKey } = shown;
  const isReturned = reply?.intent === "markers-hand" && reply.typed.id === String(id);
  const typed = isReturned ? typedAgain(reply) : {};
  return (
    <details open={typed.marker !== undefined}>
      <summary>{`Hand over the undecided answers of ${marker}`}</summary>
      <TeamForm
        shown={shown}
        intent="markers-hand"
        button="Close this link, make the new one"
        id={id}
      >
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="key" value={formKey} />
        <Field
          id={`hand-${id}`}
          label="Name of the other marker"
          hint="The new link has the questions and learners of whom something is left."
        >
          <input name="marker" maxLength={200} defaultValue={typed.marker} required />
        </Field>
        <Field id={`hand-email-${id}`} label="Email (optional)" hint={sentThere}>
          <input name="email" maxLength={200} defaultValue={typed.email} />
        </Field>
      </TeamForm>
    </details>
  );
}

const sentThere = "The link is sent there. Without an address it is shown here, to copy.";

const optionalFields = [
  ["email", "Email", sentThere],
  ["questions", "Questions", "Such as 1-3 or 1.1,2. Without any, all."],
  ["learners", "Learners", "Their numbers, such as 1-20. Without any, all."],
  ["days", "Days until the link ends", "14, unless you type another number."],
  [
    "blind",
    "Hidden proposals",
    "A percentage of the learners whose proposals are hidden until decided.",
  ],
  ["tolerance", "Tolerance of a second marker", "By how many marks both may differ."],
] as const;

function NewMarker({ shown }: { shown: ShownTeam }) {
  const { reply, formKey } = shown;
  const typed = reply?.intent === "markers-open" ? typedAgain(reply) : {};
  return (
    <details open={typed.marker !== undefined}>
      <summary>Open the desk to a marker</summary>
      <TeamForm shown={shown} intent="markers-open" button="Make the link">
        <input type="hidden" name="key" value={formKey} />
        <Field
          id="marker"
          label="Name of the marker"
          hint="What is decided under the link is recorded under this name."
        >
          <input name="marker" maxLength={200} defaultValue={typed.marker} required />
        </Field>
        {optionalFields.map(([name, label, hint]) => (
          <Field key={name} id={`marker-${name}`} label={`${label} (optional)`} hint={hint}>
            <input name={name} maxLength={2000} defaultValue={typed[name]} />
          </Field>
        ))}
        <Checkbox name="names" label="Show the learners’ names" typed={typed} />
        <Checkbox
          name="second"
          label="A second marker, who sees nothing of the first one’s marks"
          typed={typed}
        />
      </TeamForm>
    </details>
  );
}
