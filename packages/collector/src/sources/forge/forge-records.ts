import { holdsEmail, isSha, MAX_ASSETS, SECOND } from '@vitrine/core';
import type { Build, BuildState, Commit, Instant, Mission, Release, ReleaseAsset, RepositoryRecord } from '@vitrine/core';
import { MAX_TITLE, officialProvenance, publicAuthor, publicBody, publicBranch, publicLine } from '../git/public-text.js';
import { releaseRecord, type ReleaseFacts } from '../git/collect-releases.js';
import { type ForgeOrigin, type ForgeRepository, platformOfAssets } from './forge-dialect.js';

const MAX_SUMMARY = 2_000;
const MAX_LOGIN = 100;
const MAX_WORD = 64;

export function forgeRepository({ ref, name, addresses, ...origin }: ForgeOrigin, found: ForgeRepository, now: Instant): RepositoryRecord {
  const [description, language] = [publicLine(found.description ?? '', MAX_TITLE), publicLine(found.language ?? '', MAX_WORD)];
  const { fullName, owner, name: own } = name;
  return {
    kind: 'repository',
    repositoryRef: ref,
    fullName,
    owner,
    name: own,
    defaultBranch: branchOf(found.defaultBranch),
    ...(description !== '' && { description }),
    ...(language !== '' && { language }),
    lastSyncedAt: now,
    provenance: officialProvenance(origin, { sourceUrl: addresses.repository, observedAt: now }),
  };
}

export interface ForgeFile {
  readonly name: string;
  /** `null` if it is not at the forge itself, so that it has no public address. */
  readonly size: number | null;
}

export interface ForgeRelease extends ReleaseFacts {
  readonly isPrerelease: boolean;
  readonly files: readonly ForgeFile[];
}

export function forgeRelease({ isPrerelease, files, ...facts }: ForgeRelease, origin: ForgeOrigin, now: Instant): Release {
  const release = releaseRecord(facts, origin, now);
  const assets = files.flatMap((file) => assetOf(file, facts.tag, origin) ?? []).slice(0, MAX_ASSETS);
  return {
    ...release,
    platform: platformOfAssets(files.map(({ name }) => name)),
    releaseType: isPrerelease && release.releaseType === 'stable' ? 'prerelease' : release.releaseType,
    ...(assets.length > 0 && { assets }),
    provenance: { ...release.provenance, confidence: 'high' },
  };
}

/** A name that is not public as it is would make an address that leads nowhere. */
function assetOf({ name, size }: ForgeFile, tag: string, { addresses }: ForgeOrigin): ReleaseAsset | null {
  if (size === null || publicLine(name, MAX_TITLE) !== name || name === '') return null;
  const url = addresses.file(tag, name);
  return url === null || holdsEmail(url) ? null : { name, platform: platformOfAssets([name]), size, url };
}

/** The states of builds by the words of a forge. */
export function buildStates(words: Partial<Record<BuildState, readonly string[]>>): ReadonlyMap<string | null, BuildState> {
  const states = Object.entries(words) as [BuildState, readonly string[]][];
  return new Map(states.flatMap(([state, its]) => its.map((word) => [word, state] as const)));
}

const ENDS: ReadonlySet<BuildState> = new Set(['succeeded', 'failed', 'cancelled', 'skipped']);

export function isOver(state: BuildState): boolean {
  return ENDS.has(state);
}

export interface ForgeBuild extends Pick<Build, 'name' | 'number' | 'state' | 'trigger' | 'branch' | 'startedAt' | 'finishedAt'> {
  readonly id: number;
  readonly sha: string | null;
  /** Below the address of the repository. */
  readonly page: string;
}

export function forgeBuild(raw: ForgeBuild, origin: ForgeOrigin, now: Instant): Build {
  const { startedAt, finishedAt } = raw;
  const url = origin.addresses.repository + raw.page;
  return {
    kind: 'build',
    repositoryRef: origin.ref,
    id: `${origin.type}-${raw.id}`,
    name: publicLine(raw.name, MAX_TITLE) || 'Build',
    number: raw.number,
    state: raw.state,
    trigger: raw.trigger === null ? null : publicLine(raw.trigger, MAX_WORD),
    branch: branchOf(raw.branch),
    ...(raw.sha !== null && isSha(raw.sha) && { commitSha: raw.sha }),
    platform: null,
    version: null,
    startedAt,
    finishedAt,
    durationSeconds: startedAt === null || finishedAt === null ? null : Math.max(0, Math.round((finishedAt - startedAt) / SECOND)),
    url,
    provenance: officialProvenance(origin, { sourceUrl: url, observedAt: now }),
  };
}

export interface ForgeMilestone extends Pick<Mission, 'title' | 'createdAt'> {
  readonly id: number;
  readonly description: string | null;
  readonly isClosed: boolean;
  /** 0 of 0 if no number is known. */
  readonly issues: { readonly closed: number; readonly all: number };
  readonly startedAt?: Instant | null;
  readonly dueAt: Instant | null;
  readonly closedAt: Instant | null;
  /** Below the address of the repository. */
  readonly page: string;
}

export function forgeMission(raw: ForgeMilestone, origin: ForgeOrigin, now: Instant): Mission {
  const { closed: completed, all: total } = raw.issues;
  const url = origin.addresses.repository + raw.page;
  return {
    kind: 'mission',
    repositoryRef: origin.ref,
    id: `${origin.type}-${raw.id}`,
    title: publicLine(raw.title, MAX_TITLE) || 'Milestone',
    summary: publicBody(raw.description ?? '', MAX_SUMMARY),
    status: statusOf(raw, now),
    // A milestone without issues is complete when it is closed.
    progress: { completed, total, percent: total > 0 ? Math.floor((100 * completed) / total) : raw.isClosed ? 100 : 0 },
    labels: [],
    createdAt: raw.createdAt,
    startedAt: raw.startedAt ?? null,
    targetAt: raw.dueAt,
    completedAt: raw.isClosed ? raw.closedAt : null,
    url,
    provenance: officialProvenance(origin, { sourceUrl: url, observedAt: now }),
  };
}

function statusOf({ isClosed, issues, startedAt }: ForgeMilestone, now: Instant): Mission['status'] {
  if (isClosed) return 'completed';
  return issues.closed > 0 || (startedAt ?? Infinity) <= now ? 'active' : 'planned';
}

/** Who a commit's author is at the forge. Git decides all other fields, and the store keeps only the login. */
export function forgeAuthor(sha: string, login: string, origin: ForgeOrigin, now: Instant): Commit {
  return {
    kind: 'commit',
    repositoryRef: origin.ref,
    sha,
    title: '',
    description: '',
    authorName: '',
    authorLogin: publicAuthor(login, MAX_LOGIN),
    branch: null,
    additions: 0,
    deletions: 0,
    filesChanged: 0,
    changeType: null,
    committedAt: now,
    changedPaths: [],
    provenance: officialProvenance(origin, { sourceUrl: origin.addresses.commit(sha), observedAt: now }),
  };
}

function branchOf(name: string | null): string | null {
  return name === null || name === '' ? null : publicBranch(name);
}
