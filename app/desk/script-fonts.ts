/** The fonts for PDFs of scripts, which the build puts beside the program. */
export const scriptFonts = ["script-text.ttf", "script-text-ext.ttf", "script-hand.ttf"] as const;

/** A JSON list with a text for each font: the characters that the font has. */
export const scriptCharacters = "script-characters.json";
