import type { PageText } from "../../domain/page-text.ts";
import { Tick } from "../../islands/form/tick.tsx";
import { Fold } from "../fold.tsx";
import { PageSection, SectionText } from "../section-text.tsx";

/** A row of a rubric after each of the four steps. Proposals are in pencil, the teacher's decisions in red. */
const stages = [
  <AsItCame key="came" />,
  <Verdict key="verdict" />,
  <Suggestions key="suggestions" />,
  <Repaired key="repaired" />,
];

export function Repair({ text }: { text: PageText<"latest-feature"> }) {
  const { title, html, items } = text.sections.repair;
  return (
    <PageSection className="leaf" titleId="repair-title" title={title}>
      <SectionText className="lead" html={html} />
      <ol className="answer-sheet two-columns">
        {items.map(({ title, html, note, place }) => (
          <li key={title}>
            <SectionText as="h3" html={title} />
            <SectionText html={html} />
            <Fold title={note.replace(/<\/?p>/g, "")}>{stages[place]}</Fold>
          </li>
        ))}
      </ol>
      <SameScript />
    </PageSection>
  );
}

function AsItCame() {
  return (
    <dl className="sheet rows">
      <div>
        <dt>Question 2.3</dt>
        <dd>
          Explain how Mrs Maseko can keep her tin-roofed house cooler in summer.{" "}
          <span className="figures">(6)</span>
        </dd>
      </div>
      <div>
        <dt>Rubric</dt>
        <dd className="figures">
          5–6 Explains <span className="ringed">very well</span>
          <br />
          3–4 Explains <span className="ringed">fairly well</span>
          <br />
          0–2 Explains <span className="ringed">poorly</span>
        </dd>
      </div>
      <div>
        <dt>Memo</dt>
        <dd>
          Ceiling <Tick /> White roof <Tick /> Curtains <Tick />{" "}
          <span className="ringed figures">(3)</span>
        </dd>
      </div>
    </dl>
  );
}

function Verdict() {
  return (
    <div className="sheet verdict halves">
      <div className="flush">
        <h4 className="term">Keep</h4>
        <ul>
          <li>It asks for an explanation, and the rubric rewards one.</li>
          <li>The levels cover every mark from 0 to 6 and do not overlap.</li>
        </ul>
      </div>
      <div className="flush">
        <h4 className="term">Repair</h4>
        <ul>
          <li>“Very well” and “fairly well” name nothing that can be seen in an answer.</li>
          <li>Under the memo, three bare words earn what three explanations earn.</li>
          <li>A veranda or a shade tree is right too, and gets nothing.</li>
        </ul>
      </div>
    </div>
  );
}

const suggestions = [
  {
    text: "Give one mark for each way, and one for saying how it keeps heat out.",
    decision: "Yes.",
    taken: true,
  },
  {
    text: "Ask for THREE ways, so that a learner can see where six marks come from.",
    decision: "Yes. Not printed yet.",
    taken: true,
  },
  {
    text: "Add to the memo: insulation, a veranda, a tree that shades the roof.",
    decision: "Yes.",
    taken: true,
  },
  {
    text: "Accept “buy a fan”.",
    decision: "No. It only moves hot air.",
    taken: false,
  },
];

function Suggestions() {
  return (
    <ol className="sheet ruled">
      {suggestions.map(({ text, decision, taken }) => (
        <li key={text} className="wide-first flush">
          <p className="pencil">
            <span className="visually-hidden">Proposed: </span>
            {taken ? text : <del>{text}</del>}
          </p>
          <p className="pen">
            <span className="visually-hidden">The teacher: </span>
            {decision}
          </p>
        </li>
      ))}
    </ol>
  );
}

function Repaired() {
  return (
    <dl className="sheet rows">
      <div>
        <dt>Question 2.3</dt>
        <dd>
          Name THREE ways in which Mrs Maseko can keep her tin-roofed house cooler in summer, and
          explain how each of them works. <span className="figures">3 × (1 + 1) = (6)</span>
        </dd>
      </div>
      <div>
        <dt>Rubric</dt>
        <dd>
          1 mark for a way of keeping heat out. 1 mark for what it does to the heat: sends it back,
          slows it down or shades it off. Three times. <span className="figures">(6)</span>
        </dd>
      </div>
      <div>
        <dt>Memo</dt>
        <dd>
          Any three: ceiling or insulation (slows it); white roof (sends it back); curtains, veranda
          or tree (shade); another that would work. The same way in other words counts once. A fan:
          no. <span className="figures">(6)</span> <Tick />
        </dd>
      </div>
    </dl>
  );
}

function SameScript() {
  return (
    <div className="same-script halves">
      <div>
        <p className="hint">One learner’s answer, marked before the repair and after it</p>
        <p className="hand">
          She must paint the roof white so the sun bounces back. Put in a ceiling. She can buy a
          fan.
        </p>
      </div>
      <dl className="ruled figures">
        <div className="cluster">
          <dt>By the old memo</dt>
          <dd>2</dd>
        </div>
        <div className="cluster">
          <dt>By the old rubric</dt>
          <dd>4</dd>
        </div>
        <div className="cluster">
          <dt>By either now</dt>
          <dd>
            <span className="circled">3</span>
          </dd>
        </div>
      </dl>
    </div>
  );
}
