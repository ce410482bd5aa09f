import "../../styles/parts/animated-script.css";
import { Drawing } from "../drawing.tsx";
import learnerAnswers from "./learner-answers.svg?raw";

/**
 * A learner's script that a teacher marks in red, over proposals in pencil if a model makes them. The elements of
 * `.marking` are animated one after another, in the order of marking (animated-script.css).
 */
export const AnimatedScript = ({ hasModel }: { hasModel: boolean }) => (
  <Drawing
    svg={learnerAnswers}
    hasModel={hasModel}
    className="marked-script"
    role="img"
    aria-label={`A learner’s three answers, worth two marks each. ${
      hasModel
        ? "In pencil a model proposes 2, 1 and 1. In red the teacher ticks the first, strikes out the second and writes 2, ticks the third"
        : "In red the teacher ticks the first, gives the second 2, ticks the third"
    }, and rings the total: 5 out of 6.`}
  />
);
