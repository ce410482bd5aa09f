import type { Brand } from "../../brand.ts";

/** The setting that can make a statement in place of brand.yaml. */
export type BrandSetting = "BRAND_NAME" | "BRAND_EMAIL" | undefined;

/** Returns the keys of brand.yaml for which pages still publish a placeholder or lack a statement. */
export function missingStatements(brand: Brand): { message: string; setting: BrandSetting }[] {
  const { email, isBuiltIn } = brand;
  const missing = (message: string, setting?: BrandSetting) => [{ message, setting }];
  const empty = (names: (keyof Brand)[], message: string, setting?: BrandSetting) => {
    const found = names.filter((name) => brand[name] === "").join(", ");
    return found ? missing(`${found}: empty; ${message}`, setting) : [];
  };
  const builtIn = "the built-in brand, with its claims and made-up testimonials, is served";
  const noEmail = "pages refer to the contact form, and POPIA requests have no address";
  const isMadeUp = email.endsWith(".example");
  return [
    ...(isBuiltIn ? missing(`brand.yaml: ${builtIn}`, "BRAND_NAME") : []),
    ...empty(["email"], noEmail, "BRAND_EMAIL"),
    ...(isMadeUp ? missing(`email: ${email} cannot receive email`, "BRAND_EMAIL") : []),
    ...empty(
      ["registration", "address", "phone", "informationOfficer"],
      "the terms, the privacy policy and the PAIA manual need them",
    ),
    ...empty(["dataCountry"], "the privacy policy says that it is not published"),
    ...(brand.model !== ""
      ? empty(["modelCountry"], "the privacy policy says that it is not published")
      : []),
    ...(isBuiltIn
      ? []
      : empty(["marksFor"], "the terms are those of a supplier, and may not fit your own school")),
  ];
}
