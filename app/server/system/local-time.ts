/** A stored time as text for people: this machine's time, with its zone. */
export function localTime(iso: string): string {
  const time = new Date(iso);
  const offset = -time.getTimezoneOffset();
  const local = new Date(time.getTime() + offset * 60_000).toISOString();
  const two = (part: number) => String(Math.floor(part)).padStart(2, "0");
  const zone = `${offset < 0 ? "-" : "+"}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`;
  return `${local.slice(0, 10)} ${local.slice(11, 19)} ${zone}`;
}
