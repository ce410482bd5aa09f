/** The grades of the sample, lowest first. */
const grades = [
  28, 42, 42, 48, 48, 54, 56, 60, 60, 64, 66, 70, 72, 74, 74, 74, 74, 74, 76, 78, 78, 78, 82, 84,
  88, 92, 92, 92, 96, 98,
];
const average = 70.5;

/** By question: its number, and the class average in per cent. */
const bars = [
  ["1.1", 82],
  ["1.2", 74],
  ["2.1", 90],
  ["2.2", 83],
  ["2.3", 40],
  ["3", 63],
] as const;

/** A small picture of what comes back: the sample on one page. */
export function ClassPicture() {
  const x = (grade: number) => 22 + grade * 2.86;
  return (
    <svg className="class-picture" viewBox="7 5 316 247" aria-hidden="true">
      <path className="paper" d="M8 6h314v245H8z" />
      <path className="line" d="M22 88h286" />
      <path className="average" d={`M${x(average)} 20v76`} />
      {grades.map((grade, i) => {
        const below = i - grades.indexOf(grade);
        return <circle key={`${grade}-${below}`} cx={x(grade)} cy={80 - below * 12} r="5" />;
      })}
      <text x="216" y="30" textAnchor="end" className="average">
        average {average}%
      </text>
      {bars.map(([number, share], i) => (
        <g key={number} className={share < 50 ? "lowest" : undefined}>
          <text x="22" y={122 + i * 23}>
            {number}
          </text>
          <path d={`M58 ${116 + i * 23}h${share * 1.1}`} />
          <text x="204" y={122 + i * 23} textAnchor="end">
            {share}%
          </text>
          {share < 50 && (
            <text x="211" y={122 + i * 23} className="pencil">
              teach again
            </text>
          )}
        </g>
      ))}
    </svg>
  );
}
