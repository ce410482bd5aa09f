import * as z from "zod/mini";
import { type Brand, defaultName } from "../../brand.ts";
import type { ContentFiles } from "./built-in-files.ts";
import { ContentError } from "./content-error.ts";
import { fillText } from "./placeholders.ts";
import { readYaml } from "./yaml.ts";

/** What the settings say of the brand; they count more than the file. */
export interface BrandSettings {
  name: string | undefined;
  company: string | undefined;
  email: string | undefined;
}

const file = "brand.yaml";

const text = z.string("must be a text in quotation marks");

const rule = z.strictObject({
  company: text,
  email: text.check(z.email("must be an e-mail address")),
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
  social: z.array(z.strictObject({ label: text, url: text })),
});

/** @throws WrongContent */
export function readBrand(files: ContentFiles, settings: BrandSettings): Brand {
  const name = settings.name ?? defaultName;
  const slug = slugOf(name);
  const fill = (text: string) => fillText(text, { product: name, slug });
  const read = readYaml(files.get(file)!, rule, file, fill);
  if ("faults" in read) throw new ContentError(read.faults);
  const { company, email } = settings;
  return {
    ...read.value,
    name,
    slug,
    company: company || read.value.company || name,
    ...(email && { email }),
  };
}

/** "Mark & Moderate" becomes mark-moderate; letters with accents lose them. */
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
