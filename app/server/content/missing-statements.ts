import type { Brand } from "../../brand.ts";

/** Returns lines about the keys of brand.yaml for which pages still publish a placeholder or lack a statement. */
export function missingStatements(brand: Brand): string[] {
  const { email, isBuiltIn } = brand;
  const empty = (names: (keyof Brand)[], message: string) => {
    const found = names.filter((name) => brand[name] === "");
    return found.length > 0 ? [`${found.join(", ")}: empty; ${message}`] : [];
  };
  return [
    ...(isBuiltIn
      ? ["brand.yaml: the built-in brand, with its claims and made-up testimonials, is served"]
      : []),
    ...empty(["email"], "pages refer to the contact form, and POPIA requests have no address"),
    ...(email.endsWith(".example") ? [`email: ${email} cannot receive email`] : []),
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
