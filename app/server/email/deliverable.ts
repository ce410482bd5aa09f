/**
 * Whether a mail server may be given an address: in ASCII, with a dot in its domain, and within the limits of RFC 5321
 * and 1035 (64 characters before the @, 63 in each label, 254 in all). Forms accept no other address now. But earlier
 * releases checked less, and the team's address may be that of a mailbox on this machine, without a dot.
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
