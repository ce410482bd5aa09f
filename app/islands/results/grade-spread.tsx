import type { MarkedSubmission } from "../../domain/result.ts";
import { bandOf, bands } from "../../results/grade.ts";

/** The number of grades in each band, as a table with bars. */
export function GradeSpread({ submissions }: { submissions: MarkedSubmission[] }) {
  const counts = bands.map(
    (band) => submissions.filter(({ grade }) => bandOf(grade) === band).length,
  );
  const max = Math.max(...counts);
  return (
    <table className="grade-spread">
      <caption>Grades by band</caption>
      <thead>
        <tr>
          <th scope="col">Band</th>
          <th scope="col" colSpan={2}>
            How many
          </th>
        </tr>
      </thead>
      <tbody>
        {bands.map(({ label, style }, index) => (
          <tr key={style} className={`band-${style}`}>
            <th scope="row">
              <span className="band">{label}</span>
            </th>
            <td className="figures">{counts[index]}</td>
            <td className="bar">
              <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(counts[index]! / max) * 100} height="10" />
              </svg>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
