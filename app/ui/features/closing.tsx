import { ButtonLink } from "../button.tsx";

export function Closing() {
  return (
    <section className="closing no-print" aria-labelledby="closing-title">
      <div className="page">
        <h2 id="closing-title">
          Thirty scripts that you have already marked say more than this page
        </h2>
        <p className="lead">
          Send them without your marks, and lay the two sets side by side. Both demos are free.
        </p>
        <div className="actions">
          <ButtonLink href="/#demo">Send us a test</ButtonLink>
          <ButtonLink href="/demo" quiet>
            Watch us mark
          </ButtonLink>
        </div>
      </div>
    </section>
  );
}
