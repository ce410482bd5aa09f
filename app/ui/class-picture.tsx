/** Grades of a made-up class, lowest first, each over the whole number of learners that have it. */
const dots = [
  [44, 1],
  [52, 2],
  [56, 1],
  [60, 3],
  [68, 2],
  [72, 3],
  [76, 3],
  [80, 2],
  [88, 4],
  [92, 2],
] as const;

/** By question: its number, and the class average in per cent. */
const bars = [
  ["1.1", 71],
  ["1.2", 82],
  ["2.1", 43],
  ["2.2", 80],
  ["3", 69],
] as const;

/** A small picture of what comes back: the class on one page. */
export function ClassPicture() {
  return (
    <svg className="class-picture" viewBox="7 5 316 224" aria-hidden="true">
      <path className="paper" d="M8 6h314v222H8z" />
      <path className="line" d="M22 88h286" />
      <path className="average" d="M222 20v76" />
      {dots.flatMap(([grade, learners]) =>
        Array.from({ length: learners }, (_, i) => (
          <circle key={`${grade}-${i}`} cx={22 + grade * 2.86} cy={80 - i * 12} r="5" />
        )),
      )}
      <text x="216" y="30" textAnchor="end" className="average">
        average 70%
      </text>
      {bars.map(([number, average], i) => (
        <g key={number} className={average < 50 ? "lowest" : undefined}>
          <text x="22" y={122 + i * 23}>
            {number}
          </text>
          <path d={`M58 ${116 + i * 23}h${average * 1.2}`} />
          <text x="204" y={122 + i * 23} textAnchor="end">
            {average}%
          </text>
        </g>
      ))}
      <text x="216" y="169" className="pencil">
        teach again
      </text>
    </svg>
  );
}
