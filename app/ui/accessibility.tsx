import type { Brand } from "../brand.ts";
import { draftMinutes } from "../domain/service.ts";
import { ContactAddress } from "./contact-address.tsx";
import { showsVideo } from "./home/demo-video.tsx";

const ways: { how: string; what: string; isAboutVideo?: true }[] = [
  {
    how: "With a keyboard",
    what: "Everything can be reached and used, in the order in which it is read. The focus has a thick ring, and the bar at the top does not cover it. The first stop is a link past the menu.",
  },
  {
    how: "Without JavaScript",
    what: `Every page can be read and every form sent, files included. If a form comes back to you, what you typed is still in it, and the files that were in order are kept for ${draftMinutes} minutes.`,
  },
  {
    how: "On a small screen, or enlarged",
    what: "Pages fit a width of 320 pixels, which is also a desk screen at 400%, without scrolling sideways.",
  },
  {
    how: "In the dark, or in bright light",
    what: "Colours follow your device’s light or dark setting, and nothing is said by colour alone. Text has a contrast of at least 4.5 to 1 in both.",
  },
  {
    how: "With a screen reader",
    what: "Headings, landmarks, lists and tables are real ones. Each field has its label, each error its own words, and a form that was refused begins with a summary of what to put right.",
  },
  {
    how: "Without sound",
    what: "The one video, on the home page, has none. It has captions, and the same words stand beside or below it.",
    isAboutVideo: true,
  },
  {
    how: "On paper",
    what: "Pages, articles and receipts print as text, without menu and footer.",
  },
  {
    how: "Without movement",
    what: "Little moves here, and nothing does if your device asks for reduced motion.",
  },
];

const limits = [
  "The program was checked by those who make it: with an automated tool (axe) and by tests in one browser, Chromium. Nobody else has audited it, and people who use a screen reader every day have not tested it yet.",
  "On a narrow screen a wide table scrolls sideways, in a frame of its own.",
  "The site is written in English.",
  "A scanned script is a picture. What a learner wrote by hand stays unreadable to a screen reader in whatever we send back.",
];

export function Accessibility({ brand }: { brand: Brand }) {
  return (
    <div className="prose halves">
      <div>
        <h2>How it can be used</h2>
        <dl className="rows">
          {ways
            .filter(({ isAboutVideo }) => showsVideo(brand) || !isAboutVideo)
            .map(({ how, what }) => (
              <div key={how}>
                <dt>{how}</dt>
                <dd>{what}</dd>
              </div>
            ))}
        </dl>
      </div>
      <div>
        <h2>Known limits</h2>
        <ul>
          {limits.map((limit) => (
            <li key={limit}>{limit}</li>
          ))}
        </ul>
        <h2>If something is in your way</h2>
        <p>
          Write to <ContactAddress email={brand.email} />: the page, what you wanted to do, and what
          you use (browser, screen reader, phone). If it was a form that stopped you, put what it
          asked for into the same message, but no learners’ work: for that we will find a safer way
          with you.
        </p>
      </div>
    </div>
  );
}
