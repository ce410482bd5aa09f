/** Rows of a description list: only those that an institution has filled in. */
export function FilledRows({ rows }: { rows: [label: string, text: string][] }) {
  return rows
    .filter(([, text]) => text)
    .map(([label, text]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{text}</dd>
      </div>
    ));
}
