/** A small picture of the marking desk: a learner's page, and beside it the proposed mark, if any, and the decided one. */
export const DeskPicture = ({ hasProposal }: { hasProposal: boolean }) => (
  <svg
    className="marked-script desk-picture"
    viewBox="0 0 536 232"
    role="img"
    aria-label={`The marking desk. On the left a learner’s page with a tick and a comment in red. On the right the question: ${hasProposal ? "3 was proposed, in pencil, and struck out; " : ""}4 of 4 was decided, in red.`}
  >
    <path className="sheet" d="M1 1h292v230H1z" />
    <path d="M1 62h292M1 104h292M1 146h292M1 188h292" />
    <path className="margin" d="M38 1v230" />
    <g className="hand">
      <text x="50" y="54">
        Plant: cell wall.
      </text>
      <text x="50" y="96">
        Animal: none.
      </text>
      <text x="50" y="138">
        Plant: large vacuole.
      </text>
    </g>
    <text x="120" y="180" className="pen">
      That is a half.
    </text>
    <path className="pen" d="M220 84q6 4 10 15q9-24 27-40" />
    <path className="sheet" d="M308 1h227v230H308z" />
    <text x="322" y="38" className="number">
      1.2
    </text>
    <text x="366" y="38" className="label">
      Differences
    </text>
    {hasProposal && (
      <>
        <text x="398" y="92" className="pencil">
          3
        </text>
        <path className="pen" d="M392 92q14-5 26-15" />
      </>
    )}
    <text x="436" y="92" className="pen">
      4
    </text>
    <text x="456" y="92" className="label faded">
      /4
    </text>
    <text x="322" y="146" className="label">
      Marks, of 4
    </text>
    <path className="sheet" d="M452 120h60v40h-60z" />
    <text x="466" y="147" className="label">
      4
    </text>
    <path className="sheet" d="M322 176h184v42H322z" />
    <text x="338" y="203" className="label">
      Save and next
    </text>
  </svg>
);
