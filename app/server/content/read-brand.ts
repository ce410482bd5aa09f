import * as z from "zod/mini";
import { type Brand, defaultName } from "../../brand.ts";
import { builtInBrand, builtInFiles, type ContentFiles } from "./built-in-files.ts";
import { ContentError, type FileError } from "./content-error.ts";
import { fillText } from "./placeholders.ts";
import { readYaml } from "./yaml.ts";

/** Settings that override brand.yaml. */
interface BrandSettings {
  name: string | undefined;
  company: string | undefined;
  email: string | undefined;
}

const file = "brand.yaml";

const string = z.string("must be text in quotation marks");
const text = z._default(string, "");
const list = <Item extends z.ZodMiniType>(item: Item) => z._default(z.array(item), []);

const hours = z._default(
  string.check(z.regex(/^(\d+(-\d+)?)?$/, 'must be hours, such as "24" or "24-48"')),
  "",
);

const noClaim = { figure: "", definition: "", basis: "", date: "", countedBy: "" };

/** A URL with http or https: other schemes, such as javascript:, run script in the page or open another program. */
const webUrl = string.check(
  z.refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), {
    error: "must begin with https:// or http://",
  }),
);

/** Returns the schema of brand.yaml. @param object `z.object` ignores unknown keys, `z.strictObject` rejects them */
const schemaOf = (object: typeof z.object) => {
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
  return object({
    company: text,
    email: z._default(
      string.check(
        z.refine((value) => value === "" || z.email().safeParse(value).success, {
          error: "must be an email address",
        }),
      ),
      "",
    ),
    phone: text,
    address: text,
    registration: text,
    informationOfficer: text,
    model: text,
    modelCountry: text,
    dataCountry: text,
    marksFor: z._default(z.enum(["", "own", "others"], 'must be "own" or "others"'), ""),
    reviewers: text,
    replyHours: hours,
    rubricReplyHours: hours,
    demoCall: list(string),
    audience: text,
    place: text,
    nameMeaning: text,
    hosting: text,
    encryption: text,
    pricing: text,
    workspace: text,
    curriculum: text,
    pilot: list(string),
    afterDemo: list(string),
    claims: z._default(claims, claims.parse({})),
    integrations: list(object({ name: string, text: string })),
    testimonialsTitle: text,
    testimonialsNote: text,
    testimonials: list(object({ quote: string, role: string })),
    social: list(object({ label: string, url: webUrl })),
    // Optional, because files from before the key was added do not have it.
    results: z._default(
      object({ levels: z.enum(["national", "none"], 'must be "national" or "none"') }),
      { levels: "national" },
    ),
  });
};

const schema = schemaOf(z.object);
const strictSchema = schemaOf(z.strictObject as unknown as typeof z.object);

/**
 * Reads the brand and applies the settings. The built-in brand and its claims apply only until an institution
 * sets a name or has a brand.yaml of its own. An unknown key is ignored, with a warning.
 * @throws ContentError
 */
export function readBrand(
  files: ContentFiles,
  settings: BrandSettings,
): { brand: Brand; warnings: FileError[] } {
  const name = settings.name ?? defaultName;
  const slug = slugOf(name);
  const own = files.get(file)!;
  const isBuiltIn = name === defaultName && own === builtInFiles().get(file);
  const fill = (text: string) => fillText(text, { product: name, slug });
  const yaml = isBuiltIn ? builtInBrand : own;
  const strict = readYaml(yaml, strictSchema, { file, fill });
  const result = "errors" in strict ? readYaml(yaml, schema, { file, fill }) : strict;
  if ("errors" in result) throw new ContentError(result.errors);
  const { company, email } = settings;
  const brand = {
    ...result.value,
    name,
    slug,
    isBuiltIn,
    company: company || result.value.company || name,
    ...(email && { email }),
  };
  return { brand, warnings: "errors" in strict ? strict.errors : [] };
}

/** Returns "mark-moderate" for "Mark & Moderate". Accents are removed. */
function slugOf(name: string): string {
  return (
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^-|-$/g, "") || "product"
  );
}
