interface Evictable {
  readonly evict: () => void;
}

/** Counts the requests that wait behind others of their connection. Their total is limited, because each of them takes memory. */
export class WaitingRequests<Connection extends Evictable> {
  readonly #max: number;
  readonly #counts = new Map<Connection, number>();
  #total = 0;

  constructor(max: number) {
    this.#max = max;
  }

  of(connection: Connection): number {
    return this.#counts.get(connection) ?? 0;
  }

  /** Returns how many requests of this connection wait now. If too many wait in total, the connection with the most of them is closed. */
  add(connection: Connection): number {
    const count = this.of(connection) + 1;
    this.#counts.set(connection, count);
    this.#total += 1;
    if (this.#total > this.#max) this.#closeLongest(connection);
    return count;
  }

  /** Returns how many requests of this connection wait now. */
  remove(connection: Connection): number {
    const count = this.of(connection) - 1;
    if (count > 0) this.#counts.set(connection, count);
    else this.#counts.delete(connection);
    this.#total -= 1;
    return count;
  }

  /** Removes all requests of a connection. */
  drop(connection: Connection): void {
    this.#total -= this.of(connection);
    this.#counts.delete(connection);
  }

  #closeLongest(newest: Connection): void {
    let longest = newest;
    for (const [connection, count] of this.#counts) if (count > this.of(longest)) longest = connection;
    this.drop(longest);
    longest.evict();
  }
}
