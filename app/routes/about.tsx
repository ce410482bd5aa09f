import { routeContext } from "../context.ts";
import { ContactDetails } from "../ui/about/contact-details.tsx";
import { Data } from "../ui/about/data.tsx";
import { Marking } from "../ui/about/marking.tsx";
import { WhoWeAre } from "../ui/about/who-we-are.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { titleWith } from "../ui/title.ts";
import "../styles/about.css";
import type { Route } from "./+types/about";

export const loader = ({ context }: Route.LoaderArgs) => ({
  retentionDays: context.get(routeContext).retentionDays,
});

export default function About({ loaderData, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  return (
    <div className="about-page">
      <PageHead
        title={titleWith("About us: who runs it, and who decides a mark", brand.name)}
        description="How a script becomes a mark, step by step: what the model does, where a person signs, what becomes of the files, and how to reach us."
        path="/about"
      />
      <WhoWeAre brand={brand} />
      <Marking />
      <Data brand={brand} retentionDays={loaderData.retentionDays} />
      <ContactDetails brand={brand} />
    </div>
  );
}
