import type { Environment, OwnerPattern } from '@vitrine/config';
import { candidateEntries, CONFIGURATION, NO_REPOSITORY } from '@vitrine/core';
import type { OutgoingClient } from '../outgoing/outgoing-client.js';
import type { RunReport, Source, SourceContext } from '../source.js';
import { completedSync, type Registration } from '../sync-records.js';
import { fetchOwnerList } from './fetch-owner-list.js';
import { ownerListId, ownerListState, parseOwnerList, repositoriesOf, type ListPage } from './owner-list.js';

export interface OwnerListSourceOptions {
  readonly pattern: OwnerPattern;
  readonly client: OutgoingClient;
  /** Has the token. */
  readonly environment: Environment;
}

/** Stores the list of an owner's public repositories. Every process applies it to the patterns of its own configuration. A run that fails leaves the list as it was. */
export class OwnerListSource implements Source {
  readonly id: string;
  readonly intervalMs: number;
  readonly isRemote = true;
  readonly registration: Registration;
  readonly #options: OwnerListSourceOptions;

  constructor(options: OwnerListSourceOptions) {
    const { owner, intervalMs } = options.pattern;
    const label = `${owner}/*`;
    this.id = `approved ${label}`;
    this.intervalMs = intervalMs;
    this.registration = { id: ownerListId(options.pattern), sourceType: CONFIGURATION, label, repositoryRef: NO_REPOSITORY, feeds: [] };
    this.#options = options;
  }

  async run({ writer, collection, clock, signal }: SourceContext): Promise<RunReport> {
    const at = clock.now();
    const sync = await collection.sync(this.registration.id, { signal });
    const before = parseOwnerList(sync?.state ?? null) ?? [];
    const fetched = await fetchOwnerList({ ...this.#options, clock, signal, known: before });
    const after = fetched ?? [];
    await writer.put([completedSync(this.registration, this.intervalMs, sync, { at, state: ownerListState(after) })], { signal });
    return { ...this.#changes(before, after), warnings: fetched === null ? [this.#unknownOwner] : [] };
  }

  get #unknownOwner(): string {
    const { owner, api } = this.#options.pattern;
    return `${this.id}: ${new URL(api).host} knows no owner ${owner}, so the pattern approves nothing; correct it in approved`;
  }

  #changes(before: readonly ListPage[], after: readonly ListPage[]) {
    const [old, current] = [this.#chosen(before), this.#chosen(after)];
    const added = [...current.keys()].filter((key) => !old.has(key));
    const gone = [...old.keys()].filter((key) => !current.has(key));
    const notices = [
      ...added.map((key) => `${String(current.get(key))} is approved by ${this.registration.label} from now on`),
      ...gone.map((key) => `${String(old.get(key))} is no longer approved by ${this.registration.label}`),
    ];
    return { stored: added.length, unchanged: current.size - added.length, removed: gone.length, notices };
  }

  /** The names of those that the pattern approves, by name and id. */
  #chosen(pages: readonly ListPage[]): ReadonlyMap<string, string> {
    const { pattern } = this.#options;
    const lists = new Map([['', repositoriesOf(pages)]]);
    const entries = candidateEntries({ named: [], patterns: [{ ...pattern, listId: '' }], lists });
    return new Map(entries.map(({ fullName, forgeId }) => [`${fullName}#${String(forgeId)}`, fullName]));
  }
}
