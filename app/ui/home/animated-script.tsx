import "../../styles/parts/animated-script.css";

/**
 * A learner's script that a teacher marks in red, over proposals in pencil if there is a model. The elements of
 * `.marking` are animated one after another, in the order of marking (animated-script.css).
 */
export function AnimatedScript({ hasModel }: { hasModel: boolean }) {
  return (
    <svg
      className="marked-script"
      viewBox="0 0 510 362"
      role="img"
      aria-label={`A learner’s three answers, worth two marks each. ${
        hasModel
          ? "In pencil a model proposes 2, 1 and 1. In red the teacher ticks the first, strikes out the second and writes 2, ticks the third"
          : "In red the teacher ticks the first, gives the second 2, ticks the third"
      }, and rings the total: 5 out of 6.`}
    >
      <path className="sheet" d="M24 14l474-8 6 336-470 14z" />
      <g transform="rotate(-.9 255 181)">
        <path className="sheet" d="M10 12h486v338H10z" />
        <path d="M10 176h486M10 218h486M10 260h486M10 302h486" />
        <path className="margin" d="M62 12v338M408 12v338" />
        <PrintedQuestion />
        <Answers />
        <Marking hasModel={hasModel} />
      </g>
    </svg>
  );
}

function PrintedQuestion() {
  return (
    <>
      <text x="76" y="44" className="faded">
        Life Sciences, Grade 11
      </text>
      <text x="36" y="78" className="number">
        3
      </text>
      <text x="76" y="78" className="question">
        Give THREE ways in which
      </text>
      <text x="76" y="104" className="question">
        a Karoo plant saves water.
      </text>
      <text x="76" y="132" className="faded">
        3 × 2 = (6)
      </text>
    </>
  );
}

function Answers() {
  return (
    <g className="hand">
      <text x="76" y="170">
        Its thick leaves hold water.
      </text>
      <text x="76" y="212">
        Roots go down to
      </text>
      <text x="76" y="254">
        where it is wet.
      </text>
      <text x="76" y="296">
        Leaf shuts by day.
      </text>
    </g>
  );
}

function Marking({ hasModel }: { hasModel: boolean }) {
  return (
    <g className="marking">
      {hasModel && <Proposals />}
      <path pathLength="1" d="M449 158q6 4 10 15q9-24 27-40" />
      {hasModel && <path pathLength="1" d="M412 253q14-5 32-15" />}
      <text x="456" y="254" className="pen">
        2
      </text>
      <text x="280" y="212" className="pen">
        Same thing.
      </text>
      <path pathLength="1" d="M449 284q6 4 10 15q9-24 27-40" />
      <text x="430" y="82" className="pen sum">
        5/6
      </text>
      <path pathLength="1" d="M432 46c-22 12-24 42 2 50s56-4 54-30-32-34-56-24-26 26-20 36" />
    </g>
  );
}

function Proposals() {
  return (
    <>
      <text x="418" y="170" className="pencil">
        2
      </text>
      <text x="418" y="254" className="pencil">
        1?
      </text>
      <text x="246" y="254" className="pencil">
        is wet water?
      </text>
      <text x="418" y="296" className="pencil">
        1
      </text>
      <text x="280" y="296" className="pencil">
        which part?
      </text>
    </>
  );
}
