/** The sections that content/pages/NAME.md must have, by the ids at the end of their headings, such as {#hero}. */
export const pageSections = {
  about: [
    "hero",
    "who-we-are",
    "name",
    "marking",
    "model-does",
    "model-does-not",
    "what-goes-wrong",
    "data",
    "contact",
  ],
  approval: [
    "stored",
    "where",
    "how-long",
    "readers",
    "model",
    "decision",
    "not-claimed",
    "contract",
  ],
  features: [
    "hero",
    "six-features",
    "desk",
    "subjects",
    "levels",
    "languages",
    "languages-tested",
    "time",
    "settings",
    "workflow",
    "security",
    "platforms",
    "passes",
    "before-you-buy",
    "closing",
  ],
  figures: ["sample", "twice"],
  home: ["hero", "mark-it", "verdicts", "class", "desk", "features", "demo", "contact"],
  "latest-feature": ["hero", "challenge", "repair", "benefits", "why"],
} as const;

export type TextPageName = keyof typeof pageSections;

/** A passage under a heading, in HTML. */
export interface Passage {
  title: string;
  html: string;
  /** The passage's block quotations, which pages show in a margin. */
  note: string;
}

export interface TextSection extends Passage {
  /** The section's third-level headings that have text. `place` counts the headings without text too. */
  items: (Passage & { place: number })[];
}

/** The words of a page, or of a part that pages share. */
export interface PageText<Name extends TextPageName> {
  title: string;
  /** The description for search engines. */
  description: string;
  sections: Record<(typeof pageSections)[Name][number], TextSection>;
}

export type PageTexts = { [Name in TextPageName]: PageText<Name> };
