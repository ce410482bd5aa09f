/** The site's logo: a tick drawn with a pen. */
export function Tick() {
  return (
    <svg className="tick" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
      <path d="M2.5 12.8c.5-.8 1.4-1 2.3-.5 1.5.8 2.7 2.3 3.5 4.3C11.3 10.8 15.2 6.2 20.6 2.6c.8-.5 1.7.3 1.1 1.1C16.8 9.2 13 15 10 21.2c-.6 1.3-2.4 1.4-3 0-1.1-2.9-2.6-5.6-4.2-7.2-.4-.4-.5-.8-.3-1.2z" />
    </svg>
  );
}
