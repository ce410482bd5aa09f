import type { TeamReply } from "../../domain/team.ts";
import { Submit } from "../button.tsx";
import { Field } from "../form-field.tsx";
import type { ShownTeam } from "./team-page.tsx";
import { teamLinks } from "./team-urls.ts";

/** The parts of the page that have forms. The intents of a part's forms begin with its id. */
export const partIds = ["class", "markers", "proposals", "asked", "publish"] as const;
export type PartId = (typeof partIds)[number];

/** The reply to a form of a part; undefined if another form was posted, or none. */
export const replyTo = (part: string, { reply }: Pick<ShownTeam, "reply">) =>
  reply?.intent.startsWith(`${part}-`) ? reply : undefined;

/** What was posted, to be shown again; empty once it was stored or done. */
export const typedAgain = (reply: TeamReply | undefined): TeamReply["typed"] =>
  reply?.error || reply?.plan ? reply.typed : {};

/** Why a form was rejected; undefined if it was not. @param id the id of the TeamForm */
export const errorOf = ({ reply }: ShownTeam, intent: string, id?: number): string | undefined =>
  reply?.intent === intent && (reply.typed.id ?? "") === String(id ?? "") ? reply.error : undefined;

/** A part of the page: its heading, its state, and the reply if a form of the part was posted. */
export function TeamPart({
  id,
  title,
  state,
  shown,
  children,
}: {
  id: PartId | "files" | "history";
  title: string;
  /** The state of the part, in a line. */
  state: React.ReactNode;
  shown: ShownTeam;
  children?: React.ReactNode;
}) {
  const reply = replyTo(id, shown);
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      <p>{state}</p>
      {reply && <Reply reply={reply} />}
      {children}
    </section>
  );
}

export function Reply({ reply: { done, error, link, filled } }: { reply: TeamReply }) {
  if (error) {
    return (
      <div role="alert" className="problem-summary sheet">
        <p>{error}</p>
      </div>
    );
  }
  if (!done) return null;
  return (
    <div role="status" className="margin-note">
      <p>{done}</p>
      {link && (
        <p>
          <input readOnly value={link} aria-label="The new link" />
        </p>
      )}
      {filled && (
        <>
          <Sentences all={filled.sentences} />
          <p>
            <a className="standalone-link" href={filled.href} download={filled.name}>
              {filled.name}
            </a>
          </p>
        </>
      )}
    </div>
  );
}

/** Repeats what was sent, on a page without the form for it. */
export function Sent({ typed }: Pick<TeamReply, "typed">) {
  const texts = [typed.marker, typed.email, typed.questions, typed.learners, typed.proposer];
  const short = texts.filter((text) => text?.trim()).map((text) => `“${text}”`);
  const long = typed.list || typed.reply;
  return (
    <>
      {short.length > 0 && <p className="hint">{`You sent: ${short.join(", ")}.`}</p>}
      {long && <textarea rows={6} readOnly aria-label="What you sent" value={long} />}
    </>
  );
}

export const Sentences = ({ all }: { all: string[] }) => (
  <ul>
    {all.map((sentence) => (
      <li key={sentence}>{sentence}</li>
    ))}
  </ul>
);

/** A form of a part. It asks for the person's name until a form of the page was sent with one. */
export function TeamForm({
  shown,
  intent,
  button,
  buttonAbout,
  others = [],
  isNext = false,
  id,
  hasFiles = false,
  scanPath,
  children,
}: {
  shown: ShownTeam;
  intent: `${PartId}-${string}`;
  button: string;
  /** What the button is about, for screen readers, if several buttons have its words. */
  buttonAbout?: string;
  others?: [intent: `${PartId}-${string}`, button: string][];
  /** Whether the form is the next step: its button is filled. */
  isNext?: boolean;
  /** Tells forms of the same intent apart; undefined if the page has only one. */
  id?: number;
  hasFiles?: boolean;
  /** Where script sends the form's scan in parts. */
  scanPath?: string;
  children?: React.ReactNode;
}) {
  const [part] = intent.split("-");
  // If the form could not be read, its error is not about the name.
  const isRead = shown.reply?.typed.intent !== undefined;
  return (
    <form
      method="post"
      action={`${teamLinks(shown.token).page}&form=${intent}#${part}`}
      {...((hasFiles || scanPath) && { encType: "multipart/form-data" })}
      data-scan={scanPath}
    >
      {children}
      <YourName
        by={shown.reply?.by ?? ""}
        id={`${intent}-by${id ?? ""}`}
        error={isRead ? errorOf(shown, intent, id) : undefined}
      />
      <p className="actions">
        <Submit className={isNext ? "button" : "button quiet"} value={intent}>
          {button}
          {buttonAbout && <span className="visually-hidden">{buttonAbout}</span>}
        </Submit>
        {others.map(([other, text]) => (
          <Submit key={other} className="button quiet" value={other}>
            {text}
          </Submit>
        ))}
      </p>
    </form>
  );
}

function YourName({ by, id, error }: { by: string; id: string; error: string | undefined }) {
  if (by.trim() !== "") return <input type="hidden" name="by" value={by} />;
  return (
    <Field
      id={id}
      label="Your name"
      hint="For the history of this request. After the first form that is sent, it is not asked again until you open the page anew."
      error={error}
    >
      <input name="by" maxLength={200} autoComplete="name" required />
    </Field>
  );
}

/** What a sent list or file would do, and the form that stores it. */
export function Plan({
  shown,
  title,
  plan,
  typed,
  children,
  ...form
}: Pick<React.ComponentProps<typeof TeamForm>, "shown" | "intent" | "button" | "children"> & {
  title: string;
  plan: NonNullable<TeamReply["plan"]>;
  /** What was posted; the list is sent again. */
  typed: TeamReply["typed"];
}) {
  return (
    <div className="sheet">
      <h3>{title}</h3>
      <Sentences all={plan.sentences} />
      {/* Multipart, because a long list would exceed the limit of a post if it were percent-encoded. */}
      <TeamForm shown={shown} {...form} isNext hasFiles>
        <input type="hidden" name="version" value={plan.version} />
        <input type="hidden" name="list" value={typed.list} />
        {children}
      </TeamForm>
    </div>
  );
}
