import "../styles/parts/reading.css";
import { Accessibility as Statement } from "../ui/accessibility.tsx";
import { PageHead } from "../ui/page-head.tsx";
import { titleWith } from "../ui/title.ts";
import type { Route } from "./+types/accessibility";

export default function Accessibility({ matches }: Route.ComponentProps) {
  const { brand } = matches[0].loaderData;
  return (
    <div className="page legal">
      <PageHead
        title={titleWith("Accessibility statement", brand.name)}
        description="How this site can be used with a keyboard, a screen reader, a small screen or no JavaScript, what falls short so far, and whom to write to."
        path="/accessibility"
      />
      <header>
        <h1>Accessibility statement</h1>
        <p className="lead">
          We aim at level AA of the Web Content Accessibility Guidelines (WCAG) 2.2 on every page of
          this site. This is how it can be used today, and where it still falls short.
        </p>
      </header>
      <Statement brand={brand} />
    </div>
  );
}
