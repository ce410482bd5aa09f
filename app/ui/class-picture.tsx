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
    <svg className="class-picture" viewBox="7 5 426 240" aria-hidden="true">
      <path className="paper" d="M8 6h424v238H8z" />
      <path className="line" d="M28 96h384" />
      <path className="average" d="M297 22v82" />
      {dots.flatMap(([grade, learners]) =>
        Array.from({ length: learners }, (_, i) => (
          <circle key={`${grade}-${i}`} cx={28 + grade * 3.84} cy={88 - i * 13} r="5" />
        )),
      )}
      <text x="291" y="32" textAnchor="end" className="average">
        average 70%
      </text>
      {bars.map(([number, average], i) => (
        <g key={number} className={average < 50 ? "lowest" : undefined}>
          <text x="28" y={137 + i * 22}>
            {number}
          </text>
          <path d={`M68 ${132 + i * 22}h${average * 1.8}`} />
          <text x="290" y={137 + i * 22} textAnchor="end">
            {average}%
          </text>
        </g>
      ))}
      <text x="304" y="182" className="pen">
        teach again
      </text>
    </svg>
  );
}
