import "../styles/parts/class-picture.css";
import { Drawing } from "./drawing.tsx";
import sampleClass from "./sample-class.svg?raw";

/** The results of the sample as a small picture. The dot of a grade is at x = 22 + 2.86 × its percentage. */
export const ClassPicture = () => (
  <Drawing
    svg={sampleClass}
    className="class-picture"
    fill="currentColor"
    stroke="currentColor"
    strokeWidth="0"
    fontSize="16"
    aria-hidden="true"
  />
);
