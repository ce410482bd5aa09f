/** The longest title that search engines show in full. */
const maxLength = 60;

/** A page's title with the name after it, if search engines show both in full. */
export function titleWith(title: string, name: string): string {
  const full = `${title}: ${name}`;
  return full.length <= maxLength ? full : title;
}
