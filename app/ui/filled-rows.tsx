/** Rows of a description list, without the empty ones. */
export function FilledRows({ rows }: { rows: [label: string, text: React.ReactNode][] }) {
  return rows
    .filter(([, text]) => text)
    .map(([label, text]) => (
      <div key={label}>
        <dt>{label}</dt>
        <dd>{text}</dd>
      </div>
    ));
}
