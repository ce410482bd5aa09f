/**
 * Everything that an institution may change to run the service under its own name:
 * content/brand.yaml with the name filled in. Components get it through the root loader, so that
 * the browser hydrates the same values that the server rendered. An empty text or list hides the
 * block that shows it.
 */
export interface Brand {
  name: string;
  /** The name as used in addresses: lower case, hyphens. */
  slug: string;
  /** The company that runs the service and answers its email. */
  company: string;
  email: string;
  phone: string;
  address: string;
  /** The company's registration number. */
  registration: string;
  /** The data protection officer that the privacy policy names. */
  informationOfficer: string;
  /** Where the service runs, as part of a sentence: "a major cloud provider with …". */
  hosting: string;
  /** A complete sentence about data at rest. */
  encryption: string;
  /**
   * Our own figures; each is shown with what it measures and that it is not independently tested.
   */
  claims: {
    /** "99.2%" */
    accuracy: string;
    /** "up to 90%" of the time that marking takes */
    timeSaved: string;
    /** "80+ hours" for a teacher in a month */
    hoursSaved: string;
  };
  /** Learning platforms that marks can be exported to. */
  integrations: { name: string; text: string }[];
  testimonials: { quote: string; role: string }[];
  /** Shown above the testimonials: their source, or that they are made up. */
  testimonialsNote: string;
  social: { label: string; url: string }[];
  /** What results show. */
  results: {
    /** "national": South African achievement levels, 1 to 7, beside percentages. */
    levels: "national" | "none";
  };
}

/** The default name of the service. */
export const defaultName = "Rubricon";

/**
 * Names that are the same for every brand: the command, the prefix of its settings and the database
 * file.
 */
export const program = {
  command: "rubricon",
  settingPrefix: "RUBRICON_",
  databaseFile: "rubricon.db",
};
