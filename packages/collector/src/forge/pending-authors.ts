import type { Commit, Instant, StoredRecord } from '@vitrine/core';
import type { SourceContext } from '../source.js';

const MOST_PENDING = 2_000;

/**
 * The logins of commits that no other source has stored yet: the store refuses them until git has collected the commits. They are kept in memory, and offered again with each run.
 */
export class PendingAuthors {
  #pending = new Map<string, Commit>();

  /** How many commits are still unknown. */
  get size(): number {
    return this.#pending.size;
  }

  /** Stores the logins of known commits. Resolves with the number of records that have changed. */
  async put(records: readonly StoredRecord[], at: Instant, { writer, signal }: SourceContext): Promise<number> {
    for (const record of records) if (record.kind === 'commit') this.#pending.set(record.sha, record);
    const offered = [...this.#pending.values()].slice(-MOST_PENDING);
    if (offered.length === 0) return 0;
    const { stored, refused } = await writer.put(offered, { signal, filledAt: at });
    const unknown = refused.flatMap(({ index, reason }) => (reason === 'unknown-commit' ? (offered[index] ?? []) : []));
    this.#pending = new Map(unknown.map((commit) => [commit.sha, commit]));
    return stored;
  }
}
