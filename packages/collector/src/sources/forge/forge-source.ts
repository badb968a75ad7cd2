import { nameOfRef, type ApprovedRepositories, type Instant, type Sync, type SyncedKind } from '@vitrine/core';
import { putInBatches } from '../../running/record-batches.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { RegisteredSource } from '../../running/registered-source.js';
import { notApproved } from '../../running/vouching.js';
import { findRepository, type FoundRepository, hiddenNow, hide, showAgain } from './hiding.js';
import type { ForgeAccount } from './forge-account.js';
import type { ForgeClient } from './forge-client.js';
import type { ForgeDialect, ForgeList, ForgeOrigin } from './forge-dialect.js';
import { forgeRepository } from './forge-records.js';
import { emptyState, forgeSettings, forgeSourceId, readState, type ForgeState, type ListState } from './forge-state.js';
import { readPullRequests, type PullRequestsReading } from './read-pull-requests.js';
import { readList, type ListPlace, type ListReading } from './read-list.js';
import { completedState, listIn, PendingAuthors, rememberedState, storeLists, type StoredLists } from './store-lists.js';

export interface ForgeSourceOptions {
  readonly dialect: ForgeDialect;
  readonly origin: ForgeOrigin;
  readonly client: ForgeClient;
  readonly account: ForgeAccount;
  /** The address of the API. If it changes, everything is read again. */
  readonly api: string;
  /** The id that the allowlist pins; `null`: none. */
  readonly pinnedId: string | null;
  readonly intervalMs: number;
  /** Whether the pull requests are read too: somebody makes use of them. */
  readonly hasPullRequests: boolean;
  readonly approved: () => ApprovedRepositories;
}

/** One run, and the state before it. */
interface ForgeRun {
  readonly context: SourceContext;
  readonly at: Instant;
  readonly sync: Sync | null;
  readonly state: ForgeState;
}

const PULL_REQUEST = 'pull request';

type PublicRepository = Exclude<FoundRepository, { readonly kind: 'hidden' }>;

/**
 * The source for one repository of a forge: its releases with their notes, its builds, its milestones as missions, and the logins of its authors. If the forge does not show the
 * repository to the public any more, the source hides it, and goes on asking.
 */
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
    const { dialect, origin, hasPullRequests } = options;
    const { ref, name } = origin;
    const { type } = dialect;
    const feeds: readonly SyncedKind[] = ['repository', ...dialect.lists.map(({ kind }) => kind)];
    const registration = { id: forgeSourceId(origin), sourceType: type, label: name.fullName, repositoryRef: ref, feeds };
    super(`${type} ${nameOfRef(ref)}`, options.intervalMs, registration);
    this.#options = options;
    this.#settings = forgeSettings(options);
    this.#requests = 1 + dialect.lists.length + (hasPullRequests ? 1 : 0);
  }

  /** Longer than configured if the forge allows too few requests. */
  override get intervalMs(): number {
    return this.#options.account.intervalFor(this.#options.intervalMs, this.#requests);
  }

  run(context: SourceContext): Promise<RunReport> {
    return this.#options.account.runInTurn(() => this.#run(context));
  }

  async #run(context: SourceContext): Promise<RunReport> {
    context.signal.throwIfAborted();
    const { client, dialect, origin, pinnedId, approved } = this.#options;
    const at = context.clock.now();
    const hidden = await hiddenNow(origin.ref, context);
    if (hidden === null && !approved().admits(origin.ref)) return notApproved(this);
    const before = client.requests;
    const run = await this.#begin(context, at);
    const path = client.basePath + dialect.repositoryPath(origin.name);
    const found = await findRepository({ ...context, client, dialect, path, pinnedId, state: run.state });
    if (found.kind === 'hidden') {
      const { report, state } = await hide(this, found.reason, { ...run, ref: origin.ref, hidden });
      await this.#complete(run, { ...state, pullRequests: null }, []);
      return report;
    }
    if (hidden !== null) await showAgain(origin.ref, context);
    const report = await this.#collect(run, found);
    this.#requests = Math.max(1, client.requests - before);
    return report;
  }

  async #begin(context: SourceContext, at: Instant): Promise<ForgeRun> {
    const sync = await this.syncIn(context);
    const known = readState(sync?.state, this.#settings);
    // The state is cleared while the repository is not approved.
    const state = known ?? emptyState(this.#settings, sync !== null && sync.lastSuccessAt !== null);
    const lists = this.#unstoredAuthors === null || known === null ? state.lists : { ...state.lists, commit: this.#unstoredAuthors };
    return { context, at, sync, state: { ...state, lists } };
  }

  async #collect(run: ForgeRun, found: PublicRepository): Promise<RunReport> {
    const { lists: readings, pullRequests, failure } = await this.#readAll(run, found);
    const { context, at, state } = run;
    const isChanged = found.kind === 'public' || readings.some(({ outcome }) => outcome !== 'unchanged');
    if (failure !== null && (!isChanged || state.isUnknown)) throw failure;
    if (isChanged) await this.#prepare(run, readings);
    const { origin } = this.#options;
    const repository = await putInBatches(found.kind === 'public' ? [forgeRepository(origin, found.repository, at)] : [], at, context);
    const { refused, ...lists } = await storeLists(readings, { ref: origin.ref, before: state, authors: this.#authors, at }, context);
    const after = { ...completedState(withRepository(state, found), readings), pullRequests: pullRequests.state };
    const warnings = [...this.#warningsOf(readings, pullRequests, refused), ...moveWarning(found)];
    if (failure !== null) {
      await this.#keep(run, this.#persisted(after));
      throw failure;
    }
    await this.#complete(run, this.#persisted(after), this.#feedsOf(readings));
    const counts = { stored: lists.stored + repository.stored, unchanged: lists.unchanged + repository.unchanged, removed: lists.removed };
    return { ...counts, warnings: warnings.map((warning) => `${this.id}: ${warning}`) };
  }

  /** The lists in turn, up to the first that cannot be read. What was read by then is not read again. */
  async #readAll({ context, at, state }: ForgeRun, found: PublicRepository) {
    const { client, dialect, origin } = this.#options;
    const place = { ...context, client, base: found.base };
    const withheld: readonly string[] = found.kind === 'public' ? found.repository.withheld : (state.repository?.withheld ?? []);
    const lists: ListReading[] = [];
    try {
      for (const list of dialect.lists) {
        const before = listIn(state, list.kind);
        lists.push(withheld.includes(list.kind) ? absent(list) : await readList(list, { ...place, origin, before, now: at }));
      }
      return { lists, pullRequests: await this.#readPullRequests(withheld, state, place), failure: null };
    } catch (failure) {
      context.signal.throwIfAborted();
      return { lists, pullRequests: unread(state), failure: failure instanceof Error ? failure : new Error(String(failure)) };
    }
  }

  async #readPullRequests(withheld: readonly string[], state: ForgeState, place: ListPlace): Promise<PullRequestsReading> {
    const { dialect, hasPullRequests } = this.#options;
    if (!hasPullRequests) return unread(state);
    if (withheld.includes(PULL_REQUEST)) return { state: null, isUnchanged: false, warnings: [] };
    return readPullRequests(dialect.pullRequests, { ...place, before: state.pullRequests });
  }

  /** Logins that are not stored yet are offered again from memory. A new process reads them again. */
  #persisted(state: ForgeState): ForgeState {
    const commits = listIn(state, 'commit');
    this.#unstoredAuthors = this.#authors.size === 0 ? null : commits;
    return this.#unstoredAuthors === null ? state : { ...state, lists: { ...state.lists, commit: { pages: [], left: [] } } };
  }

  /** A list that is refused, or that only members may see, says nothing about its kind. */
  #feedsOf(readings: readonly ListReading[]): readonly SyncedKind[] {
    const refused = new Set<SyncedKind>(readings.filter(({ outcome }) => outcome === 'refused').map(({ list }) => list.kind));
    return this.registration.feeds.filter((kind) => !refused.has(kind));
  }

  #warningsOf(lists: readonly ListReading[], pullRequests: PullRequestsReading, refused: StoredLists['refused']): readonly string[] {
    for (const { list, outcome, warnings } of lists)
      if (outcome !== 'unchanged') this.#warnings.set(list.kind, [...(refused.get(list.kind) ?? []), ...warnings]);
    if (!pullRequests.isUnchanged) this.#warnings.set(PULL_REQUEST, pullRequests.warnings);
    return [...this.#warnings.values()].flat();
  }

  /** Before anything is stored. If the state was cleared, the stored ids are unknown, so all records are withdrawn. */
  async #prepare(run: ForgeRun, readings: readonly ListReading[]): Promise<void> {
    const { context, state } = run;
    if (state.isUnknown) await context.writer.withdraw(this.registration.id, context);
    await this.#keep(run, rememberedState(state, readings));
  }

  #keep({ context, sync }: ForgeRun, state: ForgeState): Promise<void> {
    return this.remember(sync, JSON.stringify(state), context);
  }

  #complete({ context, sync, at }: ForgeRun, state: ForgeState, feeds: readonly SyncedKind[]): Promise<void> {
    return this.complete(sync, { at, feeds, state: JSON.stringify(state) }, context);
  }
}

function absent(list: ForgeList): ListReading {
  return { list, pages: [], records: [], outcome: 'absent', warnings: [] };
}

function unread({ pullRequests: state }: ForgeState): PullRequestsReading {
  return { state, isUnchanged: true, warnings: [] };
}

function moveWarning({ isMoved }: PublicRepository): readonly string[] {
  return isMoved ? ['the repository has another name at its forge now. Write the new name in approved and in the source'] : [];
}

function withRepository(state: ForgeState, found: PublicRepository): ForgeState {
  if (found.kind === 'unchanged') return state;
  const { repository, validators } = found;
  return { ...state, isUnknown: false, id: repository.ids[0], repository: { ...validators, withheld: [...repository.withheld] } };
}
