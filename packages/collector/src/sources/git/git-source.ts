import type { Environment, GitLocation, GitSourceConfig } from '@vitrine/config';
import { ANYTHING, assertOptions, nameOfRef, OBJECT, orNull, required, TEXT } from '@vitrine/core';
import type { Instant, RepositoryRef, RulesOf, Sync } from '@vitrine/core';
import { OutgoingClient } from '../../fetching/outgoing-client.js';
import { RegisteredSource } from '../../running/registered-source.js';
import type { RunReport, SourceContext } from '../../running/source.js';
import { collectCommits, hasClosedGap } from './collect-commits.js';
import { collectReleases } from './collect-releases.js';
import { isRefusal } from './commit-log.js';
import { ForgeAddresses } from './forge-addresses.js';
import { NOTHING_KNOWN, readState, shapeOf, writeState, type Gaps, type GitCollection, type GitOrigin, type SyncState } from './git-collection.js';
import { readSourceRefs, type GitRefs, type RemoteRefs, type SourceRefsOptions } from './git-refs.js';
import { folderOf, localRepository, openFolder, parseGitLocation, type FolderRepository, type LocalRepositoryOptions } from './local-repository.js';
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

/** How a run reads a repository. */
interface GitRun extends Pick<GitCollection, 'context' | 'toleratesGaps'> {
  readonly startedAt: Instant;
  /** What says which branches and tags the clone lacks. */
  readonly tooLong: readonly string[];
}

/** The commits of the branches of a repository, and a release for each tag. What it no longer has is removed. Throws a `GitError` if it cannot be read; the stored records then stay. */
export class GitSource extends RegisteredSource {
  readonly isRemote: boolean;
  readonly #options: GitSourceOptions;
  readonly #location: GitLocation;
  readonly #origin: GitOrigin;
  /** What the last run in this process that read commits and tags left out. */
  #leftOut: readonly string[] = [];
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
    const repository = await openFolder(this.#location.path, shownOptions(this.#options, context.signal));
    return this.#collect(repository, { context, startedAt, toleratesGaps: true, tooLong: [] });
  }

  async #runClone(context: SourceContext, startedAt: Instant, address: string): Promise<RunReport> {
    const { progress, signal } = context;
    progress(0, 'fetched');
    const wouldLose = (remote: RemoteRefs) => hasMoreThan(remote, this.#options.ref, context);
    const options = shownOptions(this.#options, signal);
    const { limits = {}, client = new OutgoingClient() } = this.#options;
    const folder = await privateFolder(options.cacheFolder, options.dataFolder);
    const mirror = new Mirror({ ...options, address, client, wouldLose, limits }, folder);
    const clone = await mirror.update();
    try {
      const report = await this.#collect(folderOf(clone), { context, startedAt, toleratesGaps: false, tooLong: mirror.leftOut });
      this.#isRenewed = false;
      return report;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // If a new clone did not help, another one would not help either.
      const successor = this.#isRenewed ? null : await mirror.successor(clone, error);
      this.#isRenewed ||= successor !== null;
      return this.#collect(folderOf(successor ?? clone), { context, startedAt, toleratesGaps: true, tooLong: mirror.leftOut });
    }
  }

  /** Updates the store to match the refs. The sync record is written last, so that the next run completes an interrupted one. */
  async #collect(repository: FolderRepository, { context, startedAt, toleratesGaps, tooLong }: GitRun): Promise<RunReport> {
    const { git, refs } = await readSourceRefs(repository, shownOptions(this.#options, context.signal));
    const tip = refs.branches.find(({ name }) => name === refs.defaultBranch)?.sha ?? refs.detachedHead;
    const shown = git.withMailmap(tip === null ? null : `${tip}:.mailmap`);
    const reading = { context, git: shown, refs, origin: this.#origin, toleratesGaps, observedAt: context.clock.now() };
    const sync = await this.syncIn(context);
    const last = readState(sync);
    const current = await unlessOutdated(reading, last);
    const collection = { ...reading, known: current ?? NOTHING_KNOWN, isNew: last !== null && current === null };
    const { state, ...counts } =
      current?.refs === refs.digest
        ? { state: current, stored: 0, unchanged: current.commits + current.releases, removed: 0 }
        : await this.#collectRecords(collection, sync);
    await writeRepository(collection, startedAt);
    await this.complete(sync, { at: startedAt, state: writeState(state) }, context);
    const warnings = [...refs.warnings, ...tooLong, ...gapWarnings(refs, state.gaps)].map((warning) => `${this.id}: ${warning}`);
    return { ...counts, warnings: [...warnings, ...this.#leftOut] };
  }

  async #collectRecords(collection: GitCollection, sync: Sync | null) {
    const { refs } = collection;
    // Commits need their repository.
    await writeRepository(collection, sync?.lastSuccessAt ?? null);
    const commits = await collectCommits(collection);
    const releases = await collectReleases(collection, commits.reached);
    this.#leftOut = [...undatedWarnings(this.id, commits.undated), ...releases.warnings];
    const { gaps, mailmap } = commits;
    const totals = { commits: commits.total, releases: releases.total };
    const digest = releases.isWhole ? refs.digest : '';
    return {
      stored: commits.stored + releases.stored,
      unchanged: commits.unchanged + releases.unchanged,
      removed: commits.removed + releases.removed,
      state: { shape: shapeOf(this.#origin), refs: digest, edge: [...refs.shallow], mailmap, gaps, tags: releases.tags, ...totals },
    };
  }
}

function shownOptions(options: GitSourceOptions, signal: AbortSignal): LocalRepositoryOptions & SourceRefsOptions {
  const { environment, location, url, branches = null, timeoutMs = DEFAULT_TIMEOUT_MS, cacheFolder, dataFolder = null } = options;
  // A clone has no remotes.
  const remote = parseGitLocation(location).kind === 'folder' ? (options.remote ?? null) : null;
  return { environment, location, url, remote, branches, timeoutMs, cacheFolder, dataFolder, signal };
}

/** The branches and tags that a git source shows, read from {@link localRepository}. */
export async function readStoredRefs(options: GitSourceOptions, signal: AbortSignal) {
  const shown = shownOptions(options, signal);
  return readSourceRefs(await localRepository(nameOfRef(options.ref), shown), shown);
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

/** Every record is created again if it would have another shape, and if git can read objects again that were missing. */
async function unlessOutdated(reading: Omit<GitCollection, 'known' | 'isNew'>, state: SyncState | null): Promise<SyncState | null> {
  return state?.shape === shapeOf(reading.origin) && !(await hasClosedGap(reading, state.gaps)) ? state : null;
}

function undatedWarnings(id: string, count: number): readonly string[] {
  if (count === 0) return [];
  return [`${id}: ${count === 1 ? '1 commit was left out: no date in it' : `${count} commits were left out: no date in them`} can be read`];
}

function gapWarnings({ shallow }: GitRefs, { count }: Gaps): readonly string[] {
  const ends = shallow.length === 1 ? '1 commit at its end has' : `${shallow.length} commits at its ends have`;
  const partial = count === 1 ? '1 commit has' : `${count} commits have`;
  return [
    ...(shallow.length === 0 ? [] : [`the clone is shallow: older history is missing, and ${ends} no count of changes; fetch it with --unshallow`]),
    ...(count === 0
      ? []
      : [`objects are missing, so ${partial} no count of changes; restore them, for example with git fetch --refetch --no-filter`]),
  ];
}

/** @param lastSyncedAt `null` if no run has completed yet: failed attempts must not make the repository look newly synced */
async function writeRepository({ context, refs, origin, observedAt }: GitCollection, lastSyncedAt: Instant | null): Promise<void> {
  const defaultBranch = refs.defaultBranch === null ? null : publicBranch(refs.defaultBranch);
  const provenance = officialProvenance(origin, { sourceUrl: origin.addresses.repository, observedAt });
  const { fullName, owner, name } = origin.name;
  const repository = { kind: 'repository', repositoryRef: origin.ref, fullName, owner, name, defaultBranch, provenance } as const;
  const filled = lastSyncedAt === null && { filledAt: observedAt };
  await context.writer.put([{ ...repository, lastSyncedAt: lastSyncedAt ?? observedAt }], { ...context, ...filled });
}
