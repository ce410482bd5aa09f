import { type Brand, defaultName } from "../../brand.ts";
import { brandSchema, strictBrandSchema } from "../../domain/brand-file.ts";
import { builtInBrand, type ContentFiles, isBuiltIn } from "./built-in-files.ts";
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
  const hasBuiltInBrand = name === defaultName && isBuiltIn(file, own);
  const fill = (text: string) => fillText(text, { product: name, slug });
  const yaml = hasBuiltInBrand ? builtInBrand : own;
  const strict = readYaml(yaml, strictBrandSchema, { file, fill });
  const result = "errors" in strict ? readYaml(yaml, brandSchema, { file, fill }) : strict;
  if ("errors" in result) throw new ContentError(result.errors);
  const { company, email } = settings;
  const brand = {
    ...result.value,
    name,
    slug,
    isBuiltIn: hasBuiltInBrand,
    company: company || result.value.company || name,
    ...(email && { email }),
  };
  return { brand, warnings: "errors" in strict ? strict.errors : [] };
}

/** Returns "mark-moderate" for "Mark & Modérate"; "product" for a name without any of a to z and 0 to 9. */
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
