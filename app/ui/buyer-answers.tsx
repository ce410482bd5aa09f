import type { Brand } from "../brand.ts";
import { Fold } from "./fold.tsx";

interface Answer {
  question: string;
  answer: React.ReactNode;
  /** What stays with the buyer; the home page shows the questions that have it. */
  yours?: string;
}

/** What buyers ask first. Questions that the institution has not answered are left out. */
function answersOf(brand: Brand): Answer[] {
  const { pricing, workspace, curriculum, pilot, afterDemo } = brand;
  const answers: Answer[] = [
    {
      question: "What does it cost?",
      answer: pricing,
      yours: "You accept a quotation in writing, or owe nothing.",
    },
    { question: "Which curriculum?", answer: curriculum, yours: "You set it, in your memo." },
    {
      question: "Who checks the marks?",
      answer: reviewersOf(brand),
      yours: "You decide the mark.",
    },
    {
      question: "Whose model is it, and where?",
      answer: modelOf(brand),
      yours: "You decide whether that will do.",
    },
    { question: "What is a workspace?", answer: workspace },
    { question: "How does a pilot go?", answer: stepsOf(pilot) },
    { question: "What happens after the demo?", answer: stepsOf(afterDemo) },
  ];
  return answers.filter(({ answer }) => answer);
}

/** @param isBrief only the questions of the home page, with what stays with the buyer */
export function BuyerAnswers({ brand, isBrief }: { brand: Brand; isBrief?: boolean }) {
  return (
    <dl>
      {answersOf(brand)
        .filter(({ yours }) => yours || !isBrief)
        .map(({ question, answer, yours }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>
              <Fold title={question}>{answer}</Fold>
            </dd>
            {isBrief && <dd className="yours">{yours}</dd>}
          </div>
        ))}
    </dl>
  );
}

const stepsOf = (steps: string[]) =>
  steps.length > 0 && (
    <ol>
      {steps.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );

function reviewersOf({ reviewers }: Brand): string {
  return reviewers
    ? `For work sent through this site, ${reviewers}. In a workspace, your own staff. In both, the mark is decided by an educator of yours.`
    : "For work sent through this site, one of our team; what qualifies them we haven’t published, so ask. In a workspace, your own staff. In both, the mark is decided by an educator of yours.";
}

function modelOf({ model, modelCountry, dataCountry }: Brand): string {
  return [
    model
      ? `Marks are proposed by ${model}${modelCountry && `, in ${modelCountry}`}.`
      : "We haven’t published whose model it is or in which country it runs.",
    dataCountry
      ? `Our server is in ${dataCountry}.`
      : "Nor have we published where our server stands.",
    model && modelCountry && dataCountry
      ? ""
      : "Ask us before you send learners’ work, and the answer comes in writing.",
  ]
    .filter(Boolean)
    .join(" ");
}
