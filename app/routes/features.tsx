import { routeContext } from "../context.ts";
import { Hero } from "../ui/features/features-hero.tsx";
import {
  Buying,
  Closing,
  Dividers,
  FeatureSheet,
  Languages,
  Platforms,
  Security,
  Subjects,
  TimeSavings,
} from "../ui/features/sections.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { service } from "../ui/structured-data.ts";
import { titleWith } from "../ui/title.ts";
import "../styles/parts/hands.css";
import "../styles/parts/ticked.css";
import "../styles/parts/timeline.css";
import "../styles/parts/ledger.css";
import "../styles/parts/answer-sheet.css";
import "../styles/pages/features.css";
import type { Route } from "./+types/features";

export const loader = ({ context }: Route.LoaderArgs) => context.get(routeContext).texts.features;

export default function Features({ loaderData: text, matches }: Route.ComponentProps) {
  const { brand, origin } = matches[0].loaderData;
  return (
    <div className="features-page">
      <PageHead
        title={titleWith(text.title, brand.name)}
        description={text.description}
        path="/features"
        data={service(brand, origin)}
      />
      <Hero text={text} brand={brand} />
      <FeatureSheet text={text} brand={brand} />
      <Dividers section={text.sections.desk} id="desk-title" />
      <Subjects text={text} />
      <Languages text={text} brand={brand} />
      <TimeSavings text={text} brand={brand} />
      <Dividers section={text.sections.settings} id="settings-title" />
      <Dividers section={text.sections.workflow} id="workflow-title" />
      <Security text={text} />
      <Platforms text={text} brand={brand} />
      <Buying text={text} />
      <Closing text={text} brand={brand} />
    </div>
  );
}
