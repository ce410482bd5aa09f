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
  /** Whether this is the demonstration, served until an institution states a brand of its own. */
  isBuiltIn: boolean;
  /** The company that runs the service and answers its email. */
  company: string;
  /** Empty if pages are to refer to the contact form instead. */
  email: string;
  phone: string;
  address: string;
  /** The company's registration number. */
  registration: string;
  /** The data protection officer that the privacy policy names. */
  informationOfficer: string;
  /** The model that proposes marks, as part of a sentence: "a language model of …". */
  model: string;
  modelCountry: string;
  /** The country of the server. */
  dataCountry: string;
  /** Whose work is marked: "own" for a school that marks its own learners’, "others" for a supplier; "" is not stated. */
  marksFor: "" | "own" | "others";
  /** Who checks proposed marks before the educator gets them: "teachers of the subject". */
  reviewers: string;
  /** Hours within which the team aims to answer a demo, on every day: "24". */
  replyHours: string;
  /** Hours within which the team aims to contact those who sent a rubric: "24-48". */
  rubricReplyHours: string;
  /** Steps of a demo on a call. */
  demoCall: string[];
  /** Whom the service is for: "Schools and colleges". */
  audience: string;
  /** Where the audience is: "South Africa". */
  place: string;
  /** Where the name comes from: a paragraph of Markdown. */
  nameMeaning: string;
  /** Where the service runs, as part of a sentence: "a major cloud provider with …". */
  hosting: string;
  /** A complete sentence about data at rest. */
  encryption: string;
  pricing: string;
  workspace: string;
  curriculum: string;
  /** Steps of a pilot. */
  pilot: string[];
  /** What happens after a demo. */
  afterDemo: string[];
  claims: Record<ClaimName, Claim>;
  /** Learning platforms that marks can be exported to. */
  integrations: { name: string; text: string }[];
  testimonialsTitle: string;
  /** Shown above the testimonials: their source, or that they are made up. */
  testimonialsNote: string;
  testimonials: { quote: string; role: string }[];
  social: { label: string; url: string }[];
  /** What results show. */
  results: {
    /** "national": South African achievement levels, 1 to 7, beside percentages. */
    levels: "national" | "none";
  };
}

export type ClaimName =
  | "accuracy"
  | "agreement"
  | "timeSaved"
  | "gradingTime"
  | "hoursSaved"
  | "speed"
  | "volume"
  | "availability"
  | "languages";

/** A figure that the institution claims, with its basis. A field is empty if it is not published. */
export interface Claim {
  /** "99.2%"; empty if it is not claimed. */
  figure: string;
  /** What was counted. */
  definition: string;
  /** The number and kind of things counted: "1 240 answers of 62 learners". */
  basis: string;
  date: string;
  countedBy: string;
}

export const defaultName = "Rubricon";

/** Names that are the same for every brand: the command, the prefix of its settings and the database file. */
export const program = {
  command: "rubricon",
  settingPrefix: "RUBRICON_",
  databaseFile: "rubricon.db",
};
