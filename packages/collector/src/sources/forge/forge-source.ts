import type { ForgeSourceConfig } from '@vitrine/config';
import { nameOfRef, type ApprovedRepositories, type RefusedRecord, type SyncedKind } from '@vitrine/core';
import { refusalLines } from '../../running/record-batches.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { RegisteredSource } from '../../running/registered-source.js';
import { notApproved } from '../../running/vouching.js';
import { findRepository, type ForgeRun, type FoundRepository, hiddenNow, hide, showAgain } from './hiding.js';
import type { ForgeClient } from './forge-client.js';
import type { ForgeDialect, ForgeOrigin, ListKind } from './forge-dialect.js';
import { EMPTY_LIST, forgeSettings, forgeSourceId, readState, type ForgeState, type ListState } from './forge-state.js';
import { PULL_REQUESTS, readPullRequests, type PullRequestsReading } from './read-pull-requests.js';
import { PendingAuthors, readList, rememberedList, storeLists, unreadList, type ListPlace, type ListReading } from './forge-lists.js';

export interface ForgeSourceOptions {
  readonly dialect: ForgeDialect;
  readonly origin: ForgeOrigin;
  readonly client: ForgeClient;
  readonly config: Pick<ForgeSourceConfig, 'api' | 'intervalMs'>;
  /** Whether the pull requests are read too: somebody makes use of them. */
  readonly hasPullRequests: boolean;
  readonly approved: () => ApprovedRepositories;
}

/** The releases, builds, milestones and logins of authors of one repository of a forge. While the forge does not show the repository to the public, the source hides it, and goes on asking. */
export class ForgeSource extends RegisteredSource {
  readonly isRemote = true;
  readonly #options: ForgeSourceOptions;
  readonly #settings: string;
  readonly #authors = new PendingAuthors();
  /** What was read of the list of commits, while some of its logins are not stored yet. */
  #unstoredAuthors: ListState | null = null;
  /** Those about each list, when it was read last. */
  readonly #warnings = new Map<string, readonly string[]>();
  #requests: number;

  constructor(options: ForgeSourceOptions) {
    const { dialect, origin, hasPullRequests, config } = options;
    const { ref, name } = origin;
    const { type } = dialect;
    const feeds: readonly SyncedKind[] = ['repository', ...dialect.lists.map(({ kind }) => kind)];
    const registration = { id: forgeSourceId(origin), sourceType: type, label: name.fullName, repositoryRef: ref, feeds };
    super(`${type} ${nameOfRef(ref)}`, config.intervalMs, registration);
    this.#options = options;
    this.#settings = forgeSettings(origin, config.api, hasPullRequests);
    this.#requests = 1 + dialect.lists.length + (hasPullRequests ? 1 : 0);
  }

  /** Longer than configured if the forge allows too few requests. */
  override get intervalMs(): number {
    return this.#options.client.account.intervalFor(super.intervalMs, this.#requests);
  }

  run(context: SourceContext): Promise<RunReport> {
    return this.#options.client.account.runs.run(() => this.#run(context));
  }

  async #run(context: SourceContext): Promise<RunReport> {
    context.signal.throwIfAborted();
    const { client, origin, approved } = this.#options;
    const { ref } = origin;
    const hidden = await hiddenNow(ref, context);
    if (hidden === null && !approved().admits(ref)) return notApproved(this);
    const before = client.requests;
    const sync = await this.syncIn(context);
    const stored = readState(sync, this.#settings);
    // If the stored state was removed or cleared, everything is read.
    const inMemory = this.#unstoredAuthors === null || stored.lists['commit'] === undefined ? {} : { commit: this.#unstoredAuthors };
    const run: ForgeRun = { context, at: context.clock.now(), ref, sync, hidden, state: { ...stored, lists: { ...stored.lists, ...inMemory } } };
    const found = await findRepository({ ...context, ...this.#options, state: run.state });
    if (typeof found === 'string') {
      // When the repository is public again, everything is read.
      this.#unstoredAuthors = null;
      const { report, state } = await hide(this, found, run);
      await this.complete(sync, { at: run.at, feeds: [], state: JSON.stringify(state) }, context);
      return report;
    }
    if (hidden !== null) await showAgain(ref, context);
    const report = await this.#collect(run, found);
    this.#requests = Math.max(1, client.requests - before);
    return report;
  }

  async #collect(run: ForgeRun, found: FoundRepository): Promise<RunReport> {
    const { context, at, state, sync } = run;
    const { origin } = this.#options;
    const { lists, pullRequests, failure } = await this.#readAll(run, found);
    const isChanged = found.changed !== null || lists.some(({ outcome }) => outcome !== 'unchanged');
    if (failure !== null && (!isChanged || state.isUnknown)) throw failure;
    if (isChanged) await this.#prepare(run, lists);
    const { refused, ...counts } = await storeLists(lists, { origin, found, authors: this.#authors, at }, context);
    const after = this.#persisted({ ...withLists(state, lists, (one) => one.after), ...factsOf(found), pullRequests: pullRequests.after });
    const warnings = [...this.#warningsOf(lists, pullRequests, refused), ...(found.isMoved ? [MOVED] : [])];
    if (failure !== null) {
      await this.remember(sync, JSON.stringify(after), context);
      throw failure;
    }
    await this.complete(sync, { at, feeds: this.#feedsOf(lists), state: JSON.stringify(after) }, context);
    return { ...counts, warnings: warnings.map((warning) => `${this.id}: ${warning}`) };
  }

  /** The lists in turn, up to the first that cannot be read. What was read by then is not read again. */
  async #readAll({ context, at, state }: ForgeRun, found: FoundRepository) {
    const { client, dialect, origin } = this.#options;
    const place = { ...context, client, base: found.base };
    const withheld: readonly string[] = (found.changed ?? state).repository?.withheld ?? [];
    const lists: ListReading[] = [];
    try {
      for (const list of dialect.lists) {
        const before = listIn(state, list.kind);
        lists.push(withheld.includes(list.kind) ? unreadList(list, before, 'absent') : await readList(list, { ...place, origin, before, now: at }));
      }
      return { lists, pullRequests: await this.#readPullRequests(withheld, state, place), failure: null };
    } catch (failure) {
      context.signal.throwIfAborted();
      const pullRequests: PullRequestsReading = { after: state.pullRequests, outcome: 'unchanged', warnings: [] };
      return { lists, pullRequests, failure: failure instanceof Error ? failure : new Error(String(failure)) };
    }
  }

  async #readPullRequests(withheld: readonly string[], state: ForgeState, place: ListPlace): Promise<PullRequestsReading> {
    const { dialect, hasPullRequests } = this.#options;
    if (!hasPullRequests || withheld.includes('pull request')) return { after: null, outcome: 'absent', warnings: [] };
    return readPullRequests(dialect.pullRequests, state.pullRequests, place);
  }

  /** Before anything is stored. If the state was cleared, the stored ids are unknown, so all records are withdrawn. */
  async #prepare({ context, state, sync }: ForgeRun, lists: readonly ListReading[]): Promise<void> {
    if (state.isUnknown) await context.writer.withdraw(this.registration.id, context);
    const remembered = { ...withLists(state, lists, rememberedList), repository: null, isUnknown: false };
    await this.remember(sync, JSON.stringify(this.#withoutUnstored(remembered)), context);
  }

  #persisted(state: ForgeState): ForgeState {
    this.#unstoredAuthors = this.#authors.size === 0 ? null : listIn(state, 'commit');
    return this.#withoutUnstored(state);
  }

  /** Logins that are not stored yet are offered again from memory. A new process reads them again. */
  #withoutUnstored(state: ForgeState): ForgeState {
    return this.#unstoredAuthors === null ? state : { ...state, lists: { ...state.lists, commit: EMPTY_LIST } };
  }

  /** A list that is refused, or that only members may see, says nothing about its kind. */
  #feedsOf(lists: readonly ListReading[]): readonly SyncedKind[] {
    const refused = new Set<SyncedKind>(lists.filter(({ outcome }) => outcome === 'refused').map(({ list }) => list.kind));
    return this.registration.feeds.filter((kind) => !refused.has(kind));
  }

  #warningsOf(lists: readonly ListReading[], pullRequests: PullRequestsReading, refused: ReadonlyMap<unknown, readonly RefusedRecord[]>) {
    for (const { list, outcome, warnings } of lists) {
      const refusals = refusalLines(refused.get(list.kind) ?? []).map((line) => `${list.kind}s: ${line}`);
      if (outcome !== 'unchanged') this.#warnings.set(list.kind, [...refusals, ...warnings]);
    }
    if (pullRequests.outcome !== 'unchanged') this.#warnings.set(PULL_REQUESTS, pullRequests.warnings);
    return [...this.#warnings.values()].flat();
  }
}

const MOVED = 'the repository has another name at its forge now. Write the new name in approved and in the source';

function listIn({ lists }: ForgeState, kind: ListKind): ListState {
  return lists[kind] ?? EMPTY_LIST;
}

function withLists(state: ForgeState, readings: readonly ListReading[], next: (reading: ListReading) => ListState): ForgeState {
  return { ...state, lists: { ...state.lists, ...Object.fromEntries(readings.map((reading) => [reading.list.kind, next(reading)])) } };
}

function factsOf({ changed }: FoundRepository): Partial<ForgeState> {
  if (changed === null) return {};
  const { repository, validators } = changed;
  return { isUnknown: false, id: repository.ids[0], repository: { ...validators, withheld: [...repository.withheld] } };
}
