import type { Environment, GitLocation, GitSourceConfig } from '@vitrine/config';
import { ANYTHING, assertOptions, nameOfRef, OBJECT, orNull, required, TEXT } from '@vitrine/core';
import type { Instant, RepositoryRef, RulesOf, Sync } from '@vitrine/core';
import { OutgoingClient } from '../../fetching/outgoing-client.js';
import { RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { collectCommits, hasClosedGap, type CommitsOptions } from './collect-commits.js';
import { collectReleases } from './collect-releases.js';
import { isRefusal } from './commit-log.js';
import { ForgeAddresses } from './forge-addresses.js';
import { NOTHING_KNOWN, readState, shapeOf, writeState, type Gaps, type GitCollection, type GitOrigin, type SyncState } from './git-collection.js';
import { readSourceRefs, type RemoteRefs, type SourceRefsOptions } from './git-refs.js';
import { folderOf, localRepository, openFolder, parseGitLocation, type FolderRepository } from './local-repository.js';
import { Mirror, type MirrorLimits } from './mirror.js';
import { privateFolder } from './private-folder.js';
import { officialProvenance, publicBranch } from './public-text.js';

type Chosen = 'forge' | 'remote' | 'branches';

export interface GitSourceOptions extends Omit<GitSourceConfig, 'kind' | 'findings' | Chosen>, Partial<Pick<GitSourceConfig, Chosen>> {
  readonly cacheFolder: string;
  /** The data folder of the store, in which the clones may be. It is never created here. */
  readonly dataFolder?: string | null;
  /** The environment variables of the process, which may contain git's credentials. */
  readonly environment: Environment;
  /** The longest time without output before git is stopped; 2 minutes by default. */
  readonly timeoutMs?: number;
  /** What git may use when it clones and fetches. The default suits the largest well-known repositories. */
  readonly limits?: Partial<MirrorLimits>;
  /** Finds the address to which a server redirects. Default: a new client for each run. */
  readonly client?: OutgoingClient;
}

const OPTIONS: RulesOf<GitSourceOptions> = {
  location: required(TEXT),
  ref: required(TEXT),
  name: required(OBJECT),
  url: required(TEXT),
  label: required(TEXT),
  intervalMs: required({ accepts: Number.isFinite, means: 'a number of milliseconds' }),
  cacheFolder: required(TEXT),
  environment: required(OBJECT),
  forge: orNull(TEXT),
  remote: orNull(TEXT),
  branches: ANYTHING,
  dataFolder: orNull(TEXT),
  timeoutMs: ANYTHING,
  limits: ANYTHING,
  client: ANYTHING,
};

const DEFAULT_TIMEOUT_MS = 120_000;

/** The commits of the branches of a repository, and a release for each tag. What it no longer has is removed. Throws a `GitError` if it cannot be read; the stored records then stay. */
export class GitSource extends RegisteredSource {
  readonly isRemote: boolean;
  readonly #options: GitSourceOptions;
  readonly #location: GitLocation;
  readonly #origin: GitOrigin;
  readonly #leftOut: GitCollection['leftOut'] = { lines: [] };
  /** Whether a new clone was made, and none could be read without gaps since. */
  #isRenewed = false;

  /** Throws a `TypeError` if an option is missing, wrong or does not exist. */
  constructor(options: GitSourceOptions) {
    assertOptions('GitSource', options, OPTIONS);
    const name = nameOfRef(options.ref);
    super(`git ${name}`, options.intervalMs, {
      id: `git:${name}`,
      sourceType: 'git',
      label: options.name.fullName,
      repositoryRef: options.ref,
      feeds: ['repository', 'commit', 'release'],
    });
    this.#options = options;
    this.#location = parseGitLocation(options.location);
    this.isRemote = this.#location.kind === 'address';
    this.#origin = originOf(options);
  }

  async run(context: SourceContext): Promise<RunReport> {
    const startedAt = context.clock.now();
    if (this.#location.kind === 'address') return this.#runClone(context, startedAt, this.#location.address);
    const repository = await openFolder(this.#location.path, { ...shownOptions(this.#options), signal: context.signal });
    return this.#collect(context, startedAt, repository, true);
  }

  async #runClone(context: SourceContext, startedAt: Instant, address: string): Promise<RunReport> {
    const { progress, signal } = context;
    progress(0, 'fetched');
    const wouldLose = (remote: RemoteRefs) => hasMoreThan(remote, this.#options.ref, context);
    const options = shownOptions(this.#options);
    const { limits = {}, client = new OutgoingClient() } = this.#options;
    const folder = await privateFolder(options.cacheFolder, options.dataFolder);
    const mirror = new Mirror({ ...options, address, client, signal, wouldLose, limits }, folder);
    const clone = await mirror.update();
    try {
      const report = await this.#collect(context, startedAt, folderOf(clone), false, mirror.leftOut);
      this.#isRenewed = false;
      return report;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // If a new clone did not help, another one would not help either.
      const successor = this.#isRenewed ? null : await mirror.successor(clone, error);
      this.#isRenewed ||= successor !== null;
      return this.#collect(context, startedAt, folderOf(successor ?? clone), true, mirror.leftOut);
    }
  }

  async #collect(context: SourceContext, startedAt: Instant, repository: FolderRepository, toleratesGaps: boolean, leftOut: readonly string[] = []) {
    const { git, refs: read } = await readSourceRefs(repository, { ...shownOptions(this.#options), signal: context.signal });
    const refs = { ...read, warnings: [...read.warnings, ...leftOut] };
    const tip = refs.branches.find(({ name }) => name === refs.defaultBranch)?.sha ?? refs.detachedHead;
    const shown = git.withMailmap(tip === null ? null : `${tip}:.mailmap`);
    return collectRefs({ context, git: shown, refs, origin: this.#origin, startedAt, source: this, leftOut: this.#leftOut, toleratesGaps });
  }
}

function shownOptions(options: GitSourceOptions): Omit<Parameters<typeof localRepository>[0] & SourceRefsOptions, 'signal' | 'name'> {
  const { environment, location, url, branches = null, timeoutMs = DEFAULT_TIMEOUT_MS, cacheFolder, dataFolder = null } = options;
  // A clone has no remotes.
  const remote = parseGitLocation(location).kind === 'folder' ? (options.remote ?? null) : null;
  return { environment, location, url, remote, branches, timeoutMs, cacheFolder, dataFolder };
}

/** The branches and tags that a git source shows, read from {@link localRepository}. */
export async function readStoredRefs(options: GitSourceOptions, signal: AbortSignal) {
  const shown = { ...shownOptions(options), signal };
  return readSourceRefs(await localRepository({ ...shown, name: nameOfRef(options.ref) }), shown);
}

export function originOf({ ref, name, url, forge, label }: GitSourceOptions): GitOrigin {
  return { ref, name, addresses: new ForgeAddresses(url, forge), label };
}

/** Whether this source has stored more than a remote without branches and tags has. Commits that only a detached HEAD reaches are on no branch. */
async function hasMoreThan({ detachedHead }: RemoteRefs, ref: RepositoryRef, context: SourceContext): Promise<boolean> {
  const branches = [...(await context.collection.commitBranches(ref, context)).values()];
  if (branches.some((branch) => branch !== null || detachedHead === null)) return true;
  for await (const _release of context.collection.ofRepository('release', ref, context)) return true;
  return false;
}

/** Updates the store to match the refs. The repository is written first, because commits need it; the sync record last, so that the next run completes an interrupted one. */
async function collectRefs(collection: GitCollection): Promise<RunReport> {
  const { context, refs, origin, source } = collection;
  const observedAt = context.clock.now();
  const sync = await source.syncIn(context);
  const shape = shapeOf(origin);
  const last = readState(sync?.state);
  const current = await unlessOutdated(collection, last, shape);
  if (current?.refs === refs.digest) {
    await writeSync(collection, observedAt, sync, current);
    return { stored: 0, unchanged: current.commits + current.releases, removed: 0, warnings: warningsOf(collection, current.gaps) };
  }
  await writeRepository(collection, observedAt, sync?.lastSuccessAt);
  const isNew = last !== null && current === null;
  const { state, ...counts } = await collectRecords(collection, { observedAt, known: current ?? NOTHING_KNOWN, isNew });
  await writeSync(collection, observedAt, sync, { ...state, shape });
  return { ...counts, warnings: warningsOf(collection, state.gaps) };
}

/** Every record is created again if it would have another shape, and if git can read objects again that were missing. */
async function unlessOutdated(collection: GitCollection, state: SyncState | null, shape: string): Promise<SyncState | null> {
  return state?.shape === shape && !(await hasClosedGap(collection, state.gaps)) ? state : null;
}

async function collectRecords(collection: GitCollection, options: CommitsOptions) {
  const { refs, source } = collection;
  const commits = await collectCommits(collection, options);
  const releases = await collectReleases(collection, options, commits.reached);
  collection.leftOut.lines = [...undatedWarnings(source.id, commits.undated), ...releases.warnings];
  const { gaps, mailmap } = commits;
  const totals = { commits: commits.total, releases: releases.total };
  return {
    stored: commits.stored + releases.stored,
    unchanged: commits.unchanged + releases.unchanged,
    removed: commits.removed + releases.removed,
    state: { refs: releases.isWhole ? refs.digest : '', edge: [...refs.shallow], mailmap, gaps, tags: releases.tags, ...totals },
  };
}

function undatedWarnings(id: string, count: number): readonly string[] {
  if (count === 0) return [];
  return [`${id}: ${count === 1 ? '1 commit was left out: no date in it' : `${count} commits were left out: no date in them`} can be read`];
}

function warningsOf({ source: { id }, refs: { warnings, shallow }, leftOut }: GitCollection, { count }: Gaps): readonly string[] {
  const ends = shallow.length === 1 ? '1 commit at its end has' : `${shallow.length} commits at its ends have`;
  const partial = count === 1 ? '1 commit has' : `${count} commits have`;
  const problems = [
    ...warnings,
    ...(shallow.length === 0 ? [] : [`the clone is shallow: older history is missing, and ${ends} no count of changes; fetch it with --unshallow`]),
    ...(count === 0
      ? []
      : [`objects are missing, so ${partial} no count of changes; restore them, for example with git fetch --refetch --no-filter`]),
  ];
  return [...problems.map((problem) => `${id}: ${problem}`), ...leftOut.lines];
}

/** @param lastSyncedAt none if no run has completed yet: failed attempts must not make the repository look newly synced */
async function writeRepository(
  { context, refs, origin }: GitCollection,
  observedAt: Instant,
  lastSyncedAt: Instant | null | undefined,
): Promise<void> {
  const defaultBranch = refs.defaultBranch === null ? null : publicBranch(refs.defaultBranch);
  const provenance = officialProvenance(origin, { sourceUrl: origin.addresses.repository, observedAt, confidence: 'high' });
  const { fullName, owner, name } = origin.name;
  const repository = { kind: 'repository', repositoryRef: origin.ref, fullName, owner, name, defaultBranch, provenance } as const;
  if (typeof lastSyncedAt === 'number') await context.writer.put([{ ...repository, lastSyncedAt }], context);
  else await context.writer.put([{ ...repository, lastSyncedAt: observedAt }], { ...context, filledAt: observedAt });
}

async function writeSync(collection: GitCollection, observedAt: Instant, before: Sync | null, state: SyncState): Promise<void> {
  const { context, source, startedAt } = collection;
  await writeRepository(collection, observedAt, startedAt);
  await source.complete(before, { at: startedAt, state: writeState(state) }, context);
}
