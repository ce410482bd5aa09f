/**
 * The drawing of an SVG file, inlined so that style sheets colour it.
 * @param hasModel whether to keep the elements of class `model`, each on a line of its own in the file
 */
export function Drawing({
  svg,
  hasModel = true,
  ...attributes
}: React.SVGAttributes<SVGSVGElement> & { svg: string; hasModel?: boolean }) {
  const [, viewBox, all] = / viewBox="(.*?)">(.*)<\/svg>/s.exec(svg)!;
  const shown = hasModel ? all! : all!.replace(/^.* class="model\b.*\n/gm, "");
  return <svg {...attributes} viewBox={viewBox} dangerouslySetInnerHTML={{ __html: shown }} />;
}
