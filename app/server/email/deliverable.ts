/**
 * Whether an address is in ASCII, has a dot in its domain, and keeps to the lengths of RFC 5321 and 1035, so that a mail
 * server may be given it. Forms accept only such addresses, but earlier releases accepted others, and the team's
 * address may be a mailbox of this machine, without a dot.
 */
export function isDeliverable(address: string): boolean {
  const [, local = "", domain = ""] = /^(.+)@([^@]+)$/.exec(address) ?? [];
  const labels = domain.split(".");
  return (
    address.length <= 254 &&
    local.length <= 64 &&
    local.split(".").every((part) => /^[\w!#$%&'*+/=?^`{|}~-]+$/.test(part)) &&
    labels.length > 1 &&
    labels.every((label) => /^[a-z\d]([a-z\d-]{0,61}[a-z\d])?$/i.test(label))
  );
}
