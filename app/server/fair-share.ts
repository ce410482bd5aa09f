/** Gives back what was taken. Has no effect the second time. */
export type Release = () => void;

/** Something that a client holds. */
export interface Holder {
  /** The client address that it is counted by. */
  client: string;
  amount: number;
  /** Whether it is of no use at the moment; such holders are revoked first. */
  isIdle?(): boolean;
  /** Called when another holder takes its part. */
  revoke(): void;
}

/**
 * Shares a limited amount among clients, without a fixed share for each: one client may take all of
 * it while no other asks. When it is used up, the client that holds most loses its oldest holder, so
 * a client that holds less always gets its part.
 */
export class FairShare<H extends Holder = Holder> {
  readonly #max: number;
  readonly #clients = new Map<string, { amount: number; holders: Set<H> }>();
  #used = 0;

  constructor(max: number) {
    this.#max = max;
  }

  /** Undefined if no client holds more than this one would, and this one holds nothing. */
  take(holder: H): Release | undefined {
    while (this.#used + holder.amount > this.#max) {
      const victim = this.#holderToRevoke(holder);
      if (!victim) return undefined;
      this.#remove(victim);
      victim.revoke();
    }
    const client = this.#clients.get(holder.client) ?? { amount: 0, holders: new Set() };
    this.#clients.set(holder.client, client);
    client.holders.add(holder);
    client.amount += holder.amount;
    this.#used += holder.amount;
    return () => this.#remove(holder);
  }

  /** The oldest holder of the client that holds least. */
  next(): H | undefined {
    const [least] = [...this.#clients.values()].sort((a, b) => a.amount - b.amount);
    return least?.holders.values().next().value;
  }

  #holderToRevoke({ client, amount }: H): H | undefined {
    let victim = this.#clients.get(client);
    let most = amount + (victim?.amount ?? 0);
    for (const other of this.#clients.values()) {
      if (other !== victim && other.amount > most) {
        victim = other;
        most = other.amount;
      }
    }
    if (!victim) return undefined;
    for (const holder of victim.holders) if (holder.isIdle?.()) return holder;
    return victim.holders.values().next().value;
  }

  #remove(holder: H): void {
    const client = this.#clients.get(holder.client);
    if (!client?.holders.delete(holder)) return;
    client.amount -= holder.amount;
    this.#used -= holder.amount;
    if (client.holders.size === 0) this.#clients.delete(holder.client);
  }
}
