/**
 * The white label: everything that changes when an institution runs the service under its own name.
 * What stands in content/brand.yaml, with the name filled in. Components get it through the root loader,
 * because the browser must hydrate the very values that the server rendered. An empty text or list hides
 * the block that would show it.
 */
export interface Brand {
  name: string;
  /** The name as it stands in addresses: lower case, hyphens. */
  slug: string;
  /** Who runs the service and answers its letters. */
  company: string;
  email: string;
  phone: string;
  address: string;
  /** The company's registration number. */
  registration: string;
  /** Whom the privacy policy names: the data protection officer. */
  informationOfficer: string;
  /** Where it runs, as part of a sentence: "a major cloud provider with …". */
  hosting: string;
  /** A whole sentence about data at rest. */
  encryption: string;
  /** Figures of our own, each shown with what it is of and that nobody else has tested it. */
  claims: {
    /** "99.2%" */
    accuracy: string;
    /** "up to 90%" of the time that marking takes */
    timeSaved: string;
    /** "80+ hours" for a teacher in a month */
    hoursSaved: string;
  };
  /** Learning platforms that marks can go to. */
  integrations: { name: string; text: string }[];
  testimonials: { quote: string; role: string }[];
  /** Stands above them: who said them, or that nobody did. */
  testimonialsNote: string;
  social: { label: string; url: string }[];
}

/** The name that the service has unless told otherwise. */
export const defaultName = "Rubricon";

/** Names that stay whatever the brand: the command, its settings' prefix and the file that holds the data. */
export const program = {
  command: "rubricon",
  settingPrefix: "RUBRICON_",
  databaseFile: "rubricon.db",
};
