import "../styles/parts/class-picture.css";
import { Drawing } from "./drawing.tsx";
import sampleClass from "./sample-class.svg?raw";

/** A small picture of results: those of the sample, with the dot of a grade at x = 22 + 2.86 × its percentage. */
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
