import * as z from "zod/mini";
import { type Brand, defaultName } from "../../brand.ts";
import type { ContentFiles } from "./built-in-files.ts";
import { ContentError } from "./content-error.ts";
import { fillText } from "./placeholders.ts";
import { readYaml } from "./yaml.ts";

/** Settings that override brand.yaml. */
export interface BrandSettings {
  name: string | undefined;
  company: string | undefined;
  email: string | undefined;
}

const file = "brand.yaml";

const text = z.string("must be text in quotation marks");

/** Other schemes, such as javascript:, run script in the page or open another program. */
const webUrl = text.check(
  z.refine((url) => /^https?:\/\//i.test(url) && URL.canParse(url), {
    error: "must begin with https:// or http://",
  }),
);

const schema = z.strictObject({
  company: text,
  email: text.check(z.email("must be an email address")),
  phone: text,
  address: text,
  registration: text,
  informationOfficer: text,
  hosting: text,
  encryption: text,
  claims: z.strictObject({ accuracy: text, timeSaved: text, hoursSaved: text }),
  integrations: z.array(z.strictObject({ name: text, text })),
  testimonials: z.array(z.strictObject({ quote: text, role: text })),
  testimonialsNote: text,
  social: z.array(z.strictObject({ label: text, url: webUrl })),
});

/**
 * Reads brand.yaml and applies the settings.
 * @throws ContentError
 */
export function readBrand(files: ContentFiles, settings: BrandSettings): Brand {
  const name = settings.name ?? defaultName;
  const slug = slugOf(name);
  const fill = (text: string) => fillText(text, { product: name, slug });
  const result = readYaml(files.get(file)!, schema, file, fill);
  if ("errors" in result) throw new ContentError(result.errors);
  const { company, email } = settings;
  return {
    ...result.value,
    name,
    slug,
    company: company || result.value.company || name,
    ...(email && { email }),
  };
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
