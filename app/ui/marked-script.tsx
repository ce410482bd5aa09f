/** A learner's answer as it comes back: ruled paper, two ticks, a note in the margin, the mark in its circle. */
export function MarkedScript() {
  return (
    <svg
      className="marked-script"
      viewBox="0 0 420 460"
      role="img"
      aria-label="A marked script: three answers on ruled paper, two ticked and one with a note in the margin, and 42 out of 50 circled in red"
    >
      <g className="sheet-behind">
        <path d="M34 30 386 12l20 412-352 20z" />
      </g>
      <path className="sheet" d="M20 20h360v424H20z" />
      <path
        className="ruling"
        d="M20 92h360M20 128h360M20 164h360M20 200h360M20 236h360M20 272h360M20 308h360M20 344h360M20 380h360M20 416h360"
      />
      <path className="margin" d="M84 20v424" />
      <g className="print">
        <text x="98" y="56">
          Question 3: water and the Karoo
        </text>
        <text x="98" y="78" className="small">
          Life Sciences, Grade 11. Total: 50
        </text>
        <text x="50" y="121">
          3.1
        </text>
        <text x="50" y="229">
          3.2
        </text>
        <text x="50" y="337">
          3.3
        </text>
      </g>
      <g className="writing">
        <path d="M98 120q14-10 22 0t20-1 24 0 18-2 26 2 22-1 20 0 26-2 18 1" />
        <path d="M98 156q12-9 20 0t26-1 18 1 24-2 22 1 26 0" />
        <path d="M98 228q16-9 24 0t22-1 26 1 18-2 24 1 20 0 22-1" />
        <path d="M98 264q12-10 22 0t24 0 20-2 26 2 18-1" />
        <path d="M98 336q14-8 24 0t20-2 24 2 26-1 20 1 18-1" />
        <path d="M98 372q12-9 22 0t22-1 20 1" />
      </g>
      <g className="red">
        <path d="M316 108c5 3 9 9 12 17 7-18 17-32 33-42" />
        <path d="M316 216c5 3 9 9 12 17 7-18 17-32 33-42" />
        <path d="M98 380c22 4 44 4 64-1" />
        <path d="M300 412c-6-22 22-36 48-33 28 3 40 22 26 38-16 18-66 18-74-5z" />
        <text x="337" y="415" textAnchor="middle" className="mark">
          42/50
        </text>
        <text x="98" y="404" className="note">
          which root? say why
        </text>
      </g>
    </svg>
  );
}
