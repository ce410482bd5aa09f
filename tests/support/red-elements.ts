/** Finds what is red on pages. Only what a person decided, the one button, the logo and errors may be red. */
import type { Page } from "playwright-core";

/** What may be red on every page. */
export const redEverywhere = [
  ".button:not(.quiet)",
  ".logo .tick",
  ":is([aria-invalid], .field-error, .problem-summary, .file-picker:has([aria-invalid]))",
];

/** The number of red elements of a page that may be red, and descriptions of those that may not. */
export const redElements = (page: Page, allowedSelectors: string[]) =>
  page.evaluate(findRed, allowedSelectors.join());

/** Runs in the page. */
function findRed(allowedSelectors: string): { allowed: number; others: string[] } {
  const reds = ["--rubric", "--rubric-fill", "--rubric-deep"].map((token) => {
    const probe = document.body.appendChild(document.createElement("i"));
    probe.style.color = `var(${token})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  });
  const sides = ["top", "right", "bottom", "left"];
  const others: string[] = [];
  let allowed = 0;
  for (const element of document.body.querySelectorAll("*")) {
    const colours = [null, "::before", "::after"].flatMap((pseudo) => {
      const style = getComputedStyle(element, pseudo);
      if (pseudo && style.content === "none") return [];
      const value = (name: string) => style.getPropertyValue(name);
      const isDrawn = element instanceof SVGElement;
      return [
        ...(isDrawn ? [value("fill"), value("stroke")] : [value("color")]),
        value("background-color"),
        value("background-image"),
        value("text-decoration-color"),
        value("accent-color"),
        value("outline-color"),
        ...sides
          .filter((side) => Number.parseFloat(value(`border-${side}-width`)) > 0)
          .map((side) => value(`border-${side}-color`)),
      ];
    });
    if (!colours.some((colour) => reds.some((red) => colour.includes(red)))) continue;
    if (element.closest(allowedSelectors)) allowed += 1;
    else
      others.push(
        `${element.tagName} .${element.getAttribute("class")} ${element.textContent!.slice(0, 30)}`,
      );
  }
  return { allowed, others };
}
