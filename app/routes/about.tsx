import { routeContext } from "../context.ts";
import { ContactDetails, Data, Marking, WhoWeAre } from "../ui/about.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { titleWith } from "../ui/title.ts";
import "../styles/parts/ticked.css";
import "../styles/parts/timeline.css";
import "../styles/parts/answer-sheet.css";
import "../styles/pages/about.css";
import type { Route } from "./+types/about";

export const loader = ({ context }: Route.LoaderArgs) => context.get(routeContext).texts.about;

export default function About({ loaderData: text, matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  return (
    <>
      <PageHead
        title={titleWith(text.title, brand.name)}
        description={text.description}
        path="/about"
      />
      <WhoWeAre text={text} brand={brand} />
      <Marking text={text} />
      <Data text={text} />
      <ContactDetails text={text} brand={brand} />
    </>
  );
}
