import { ButtonLink } from "../button.tsx";

export function Closing() {
  return (
    <section className="closing no-print" aria-labelledby="closing-title">
      <div className="page">
        <h2 id="closing-title">
          Thirty scripts that you have already marked say more than this page
        </h2>
        <p className="lead">
          Send them without your marks, and lay the two sets side by side. It costs nothing.
        </p>
        <div className="actions">
          <ButtonLink href="/#demo">Try Free Demo</ButtonLink>
          <ButtonLink href="/demo" quiet>
            See a demo on screen
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
