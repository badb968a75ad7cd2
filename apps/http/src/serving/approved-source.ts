import type { ApprovedRepositories } from '@vitrine/core';

/** Gives each request its permission. A request calls it once. */
export interface ApprovedSource {
  /** Throws an `UnavailableError` if the allowlist could not be read for too long. */
  current(): ApprovedRepositories;
}

/** Remembers the last permission that could be read. */
export class RememberedApproval implements ApprovedSource {
  readonly #source: ApprovedSource;
  #last: ApprovedRepositories | null = null;

  constructor(source: ApprovedSource) {
    this.#source = source;
  }

  current(): ApprovedRepositories {
    this.#last = this.#source.current();
    return this.#last;
  }

  /** The permission of this moment, or the last one while it cannot be read. `null` if it could never be read. */
  currentOrLast(): ApprovedRepositories | null {
    try {
      return this.current();
    } catch {
      // Requests report the error.
      return this.#last;
    }
  }
}
