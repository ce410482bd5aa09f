import { routeContext } from "../context.ts";
import { Buying } from "../ui/features/buying.tsx";
import { Closing } from "../ui/features/closing.tsx";
import { FeatureSheet } from "../ui/features/feature-sheet.tsx";
import { Hero } from "../ui/features/hero.tsx";
import { Languages } from "../ui/features/languages.tsx";
import { Platforms } from "../ui/features/platforms.tsx";
import { Security } from "../ui/features/security.tsx";
import { Subjects } from "../ui/features/subjects.tsx";
import { TimeSavings } from "../ui/features/time-savings.tsx";
import { UseCases } from "../ui/features/use-cases.tsx";
import { Workflow } from "../ui/features/workflow.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { service } from "../ui/structured-data.ts";
import { titleWith } from "../ui/title.ts";
import "../styles/features.css";
import type { Route } from "./+types/features";

export const loader = ({ context }: Route.LoaderArgs) => ({
  retentionDays: context.get(routeContext).retentionDays,
});

export default function Features({ loaderData, matches }: Route.ComponentProps) {
  const { brand, origin } = matches[0].loaderData;
  const { retentionDays } = loaderData;
  return (
    <div className="features-page">
      <PageHead
        title={titleWith("Features of AI marking: essays, maths, code", brand.name)}
        description="AI marking of essays, maths and code in South Africa: marks from your own rubric, feedback, class reports, plagiarism checks, and what a pilot takes."
        path="/features"
        data={service(brand, origin)}
      />
      <Hero brand={brand} />
      <FeatureSheet claims={brand.claims} />
      <Subjects />
      <Languages brand={brand} />
      <TimeSavings claims={brand.claims} />
      <UseCases />
      <Workflow brand={brand} retentionDays={retentionDays} />
      <Security brand={brand} retentionDays={retentionDays} />
      <Platforms brand={brand} />
      <Buying brand={brand} />
      <Closing />
    </div>
  );
}
