import * as z from "zod/mini";

const string = z.string("must be text in quotation marks");
const text = z._default(string, "");
const list = <Item extends z.ZodMiniType>(item: Item) => z._default(z.array(item), []);

const hours = z._default(
  string.check(z.regex(/^(\d+(-\d+)?)?$/, 'must be hours, such as "24" or "24-48"')),
  "",
);

const email = z._default(
  string.check(
    z.refine((value) => value === "" || z.email().safeParse(value).success, {
      error: "must be an email address",
    }),
  ),
  "",
);

const noClaim = { figure: "", definition: "", basis: "", date: "", countedBy: "" };

/** A URL with http or https: other schemes, such as javascript:, run script in the page or open another program. */
const webUrl = string.check(
  z.refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), {
    error: "must begin with https:// or http://",
  }),
);

const claimsOf = (object: typeof z.object) => {
  const claim = z._default(
    object({ figure: string, definition: text, basis: text, date: text, countedBy: text }),
    noClaim,
  );
  const claims = object({
    accuracy: claim,
    agreement: claim,
    timeSaved: claim,
    gradingTime: claim,
    hoursSaved: claim,
    speed: claim,
    volume: claim,
    availability: claim,
    languages: claim,
  });
  return z._default(claims, claims.parse({}));
};

/**
 * Returns the schema of content/brand.yaml, whose comments describe the keys.
 * @param object `z.object` ignores unknown keys, `z.strictObject` rejects them
 */
const schemaOf = (object: typeof z.object) =>
  object({
    /** The company that runs the service and answers its email. */
    company: text,
    /** Empty if pages are to refer to the contact form instead. */
    email,
    phone: text,
    address: text,
    /** The company's registration number. */
    registration: text,
    /** The data protection officer that the privacy policy names. */
    informationOfficer: text,
    /** The model that proposes marks, as part of a sentence. */
    model: text,
    modelCountry: text,
    /** The country of the server. */
    dataCountry: text,
    /** "own": a school marks its own learners. "others": institutions send the work. "": not stated. */
    marksFor: z._default(z.enum(["", "own", "others"], 'must be "own" or "others"'), ""),
    reviewers: text,
    replyHours: hours,
    rubricReplyHours: hours,
    demoCall: list(string),
    audience: text,
    place: text,
    /** A paragraph of Markdown. */
    nameMeaning: text,
    /** Where the service runs, as part of a sentence. */
    hosting: text,
    /** A complete sentence about data at rest. */
    encryption: text,
    pricing: text,
    workspace: text,
    curriculum: text,
    pilot: list(string),
    afterDemo: list(string),
    /** An empty field of a claim is not published. */
    claims: claimsOf(object),
    /** Learning platforms that marks can be exported to. */
    integrations: list(object({ name: string, text: string })),
    testimonialsTitle: text,
    /** Shown above the testimonials: their source, or that they are made up. */
    testimonialsNote: text,
    testimonials: list(object({ quote: string, role: string })),
    social: list(object({ label: string, url: webUrl })),
    // Optional, because older files do not have this key.
    results: z._default(
      object({ levels: z.enum(["national", "none"], 'must be "national" or "none"') }),
      { levels: "national" },
    ),
  });

export const brandSchema = schemaOf(z.object);
// The cast is safe: the types of z.object and z.strictObject differ only in what they do with unknown keys.
export const strictBrandSchema = schemaOf(z.strictObject as unknown as typeof z.object);
