import "../styles/parts/class-picture.css";

/** The grades of the sample, lowest first. */
const grades = [
  28, 42, 42, 48, 48, 54, 56, 60, 60, 64, 66, 70, 72, 74, 74, 74, 74, 74, 76, 78, 78, 78, 82, 84,
  88, 92, 92, 92, 96, 98,
];
const average = 70.5;

/** Each question's number and class average, in per cent. */
const bars = [
  ["1.1", 82],
  ["1.2", 74],
  ["2.1", 90],
  ["2.2", 83],
  ["2.3", 40],
  ["3", 63],
] as const;

/** A small picture of the results that come back: those of the sample on one page. */
export function ClassPicture() {
  const x = (grade: number) => 22 + grade * 2.86;
  return (
    <svg
      className="class-picture"
      viewBox="8 6 314 245"
      fill="currentColor"
      stroke="currentColor"
      strokeWidth="0"
      fontSize="16"
      aria-hidden="true"
    >
      <path d="M22 88h286" strokeWidth="0.5" />
      <path className="pencil" d={`M${x(average)} 20v76`} strokeWidth="1.5" />
      {grades.map((grade, i) => {
        const below = i - grades.indexOf(grade);
        return <circle key={`${grade}-${below}`} cx={x(grade)} cy={80 - below * 12} r="5" />;
      })}
      <text x="216" y="32" textAnchor="end" className="pencil">
        average {average}%
      </text>
      {bars.map(([number, share], i) => {
        const isLowest = share < 50;
        const y = 122 + i * 23;
        return (
          <g key={number} fontWeight={isLowest ? 600 : 400}>
            <text x="22" y={y}>
              {number}
            </text>
            <path
              className={isLowest ? undefined : "pencil"}
              d={`M58 ${y - 6}h${share}`}
              strokeWidth="9"
            />
            <text x="192" y={y} textAnchor="end">
              {share}%
            </text>
            {isLowest && (
              <text x="200" y={y} className="pencil">
                teach again
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
