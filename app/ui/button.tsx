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
