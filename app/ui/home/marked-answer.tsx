import { Tick } from "../../islands/form/tick.tsx";

/** An example: one proposed mark that a teacher accepts, and one that she overrules. */
export function MarkedAnswer() {
  return (
    <figure className="script">
      <div className="sheet">
        <p className="question-text">
          <b className="figures">3.2</b> Explain TWO ways in which the leaves of a vygie save water
          in a dry Karoo summer. <span className="figures">(2 × 2)</span>
        </p>
        <p className="hand">They are thick and keep water inside for when there is no rain.</p>
        <p className="pencil">
          <b className="figures">2</b> Storage named, and what it is for.
        </p>
        <p className="pen">
          <Tick /> 2
        </p>
        <p className="hand">They have a skin like wax. The sun cannot pull the water out.</p>
        <p className="pencil">
          <b className="figures">
            <del>1</del>
          </b>{" "}
          Wax named. Its effect on water loss is not.
        </p>
        <p className="pen">
          <Tick /> 2 That is the effect.
        </p>
        <p className="total figures">
          <span className="visually-hidden">Total: </span>4/4
        </p>
      </div>
      <figcaption className="hint">
        Life Sciences, Grade 10. In pencil, what the model proposed; in red, what the teacher
        decided. We wrote the answers ourselves.
      </figcaption>
    </figure>
  );
}
