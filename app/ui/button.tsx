export function ButtonLink({
  href,
  quiet,
  children,
}: {
  href: string;
  quiet?: boolean;
  children: React.ReactNode;
}) {
  return (
    <a className={quiet ? "button quiet" : "button"} href={href}>
      {children}
    </a>
  );
}

/** A button that posts its form. `value` is the form's intent, or the value of the field `name`. */
export const Submit = ({
  className = "button quiet small",
  name = "intent",
  value,
  ...attributes
}: React.ComponentProps<"button">) => (
  <button type="submit" {...attributes} className={className} name={name} value={value} />
);
