import type { Brand } from "../brand.ts";

interface Answer {
  question: string;
  answer: React.ReactNode;
  /** Shown on the home page too. */
  isBrief?: true;
}

/** What buyers ask first. Questions that the institution has not answered are left out. */
function answersOf(brand: Brand): Answer[] {
  const { pricing, workspace, curriculum, pilot, afterDemo } = brand;
  const answers: Answer[] = [
    { question: "What does it cost?", answer: pricing, isBrief: true },
    { question: "Which curriculum?", answer: curriculum, isBrief: true },
    { question: "Who checks the marks?", answer: reviewersOf(brand), isBrief: true },
    { question: "Whose model is it, and where?", answer: modelOf(brand), isBrief: true },
    { question: "What is a workspace?", answer: workspace },
    { question: "How does a pilot go?", answer: stepsOf(pilot) },
    { question: "What happens after the demo?", answer: stepsOf(afterDemo) },
  ];
  return answers.filter(({ answer }) => answer);
}

/** @param isBrief only what the home page shows */
export function BuyerAnswers({ brand, isBrief }: { brand: Brand; isBrief?: boolean }) {
  return (
    <dl>
      {answersOf(brand)
        .filter((one) => one.isBrief || !isBrief)
        .map(({ question, answer }) => (
          <div key={question}>
            <dt>{question}</dt>
            <dd>{answer}</dd>
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
    : "For work sent through this site, one of our team; what qualifies them we have not published, so ask. In a workspace, your own staff. In both, the mark is decided by an educator of yours.";
}

function modelOf({ model, modelCountry, dataCountry }: Brand): string {
  return [
    model
      ? `Marks are proposed by ${model}${modelCountry && `, in ${modelCountry}`}.`
      : "We have not published whose model it is or in which country it runs.",
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
