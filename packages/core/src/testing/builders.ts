import type { Build } from '../kinds/build.js';
import type { Commit } from '../kinds/commit.js';
import type { Finding } from '../kinds/finding.js';
import { HOUR, type Instant, MINUTE } from '../kinds/instant.js';
import type { Mission } from '../kinds/mission.js';
import type { Provenance } from '../kinds/provenance.js';
import type { Release } from '../kinds/release.js';
import { type RepositoryRef, nameOfRef } from '../kinds/repository-name.js';
import type { Repository, RepositoryRecord } from '../kinds/repository.js';
import type { Sync } from '../kinds/sync.js';
import type { StoreChange } from '../ports/changes.js';

/** The present in the records of the builders: 2026-11-20T13:59:20.000Z. */
export const NOW: Instant = 1_795_183_160_000;

export const REF: RepositoryRef = 'acme/widget';
const SHA = '9f1c2d3e4b5a69788796a5b4c3d2e1f001122334';

export function addressOf(ref: string): string {
  return `https://git.example/${ref === '-' ? 'acme' : nameOfRef(ref as RepositoryRef)}`;
}

export function aProvenance(over: Partial<Provenance> = {}): Provenance {
  return {
    source: 'git.example',
    sourceKind: 'official-source',
    sourceUrl: addressOf(REF),
    observedAt: NOW - MINUTE,
    confidence: 'high',
    isOfficialSource: true,
    ...over,
  };
}

export function aRepositoryRecord(over: Partial<RepositoryRecord> = {}): RepositoryRecord {
  const repositoryRef = over.repositoryRef ?? REF;
  const fullName = over.fullName ?? nameOfRef(repositoryRef);
  const [owner = '', name = ''] = fullName.split('/');
  const provenance = aProvenance({ sourceUrl: addressOf(repositoryRef) });
  return { kind: 'repository', repositoryRef, fullName, owner, name, defaultBranch: 'main', lastSyncedAt: NOW - MINUTE, provenance, ...over };
}

export function aRepository(over: Partial<Repository> = {}): Repository {
  return { ...aRepositoryRecord(over), latestActivityAt: null, latestRelease: null, ...over };
}

export function aCommit(over: Partial<Commit> = {}): Commit {
  const repositoryRef = over.repositoryRef ?? REF;
  const sha = over.sha ?? SHA;
  return {
    kind: 'commit',
    repositoryRef,
    sha,
    title: 'Add keyset index for widget commits',
    description: 'Adds (committedAt, sha).',
    authorName: 'Ada Example',
    authorLogin: 'ada',
    branch: 'main',
    additions: 42,
    deletions: 7,
    filesChanged: 3,
    changeType: 'performance',
    committedAt: NOW - 20 * MINUTE,
    changedPaths: ['src/index.ts'],
    provenance: aProvenance({ sourceUrl: `${addressOf(repositoryRef)}/commit/${sha}` }),
    ...over,
  };
}

export function aRelease(over: Partial<Release> = {}): Release {
  const repositoryRef = over.repositoryRef ?? REF;
  const tagName = over.tagName ?? 'v2.1.0';
  const sourceUrl = `${addressOf(repositoryRef)}/releases/tag/${tagName}`;
  return {
    kind: 'release',
    repositoryRef,
    id: `${nameOfRef(repositoryRef)}@${tagName}`,
    tagName,
    name: 'Widget 2.1.0',
    body: 'Stable cursors.',
    platform: null,
    releaseType: 'stable',
    publishedAt: NOW - 30 * MINUTE,
    sourceUrl,
    provenance: aProvenance({ sourceUrl }),
    ...over,
  };
}

export function aFinding(over: Partial<Finding> = {}): Finding {
  const sourceUrl = `${addressOf(over.repositoryRef ?? REF)}/commit/${SHA}`;
  return {
    kind: 'finding',
    repositoryRef: REF,
    id: 'fnd_1',
    title: 'Keyset paging tests added',
    summary: 'New tests of the widget cover cursor stability.',
    status: 'EXPERIMENTAL',
    changeType: 'tests',
    evidence: { branch: 'keyset', additions: 120, deletions: 4, files: ['packages/core/test/cursor.spec.ts'], commitSha: SHA },
    detectedAt: NOW - 10 * MINUTE,
    sourceUrl,
    provenance: aProvenance({
      source: 'finding-detector',
      sourceKind: 'service-interpretation',
      sourceUrl,
      confidence: 'low',
      isOfficialSource: false,
    }),
    ...over,
  };
}

export function aBuild(over: Partial<Build> = {}): Build {
  const url = `${addressOf(over.repositoryRef ?? REF)}/builds/412`;
  return {
    kind: 'build',
    repositoryRef: REF,
    id: 'bld_1',
    name: 'CI',
    number: 412,
    state: 'succeeded',
    trigger: 'push',
    branch: 'main',
    commitSha: SHA,
    platform: null,
    version: null,
    startedAt: NOW - 18 * MINUTE,
    finishedAt: NOW - 12 * MINUTE,
    durationSeconds: 360,
    url,
    provenance: aProvenance({ sourceUrl: url }),
    ...over,
  };
}

export function aMission(over: Partial<Mission> = {}): Mission {
  const url = `${addressOf(over.repositoryRef ?? REF)}/milestone/7`;
  return {
    kind: 'mission',
    repositoryRef: REF,
    id: 'msn_1',
    title: 'Public read API for the widget',
    summary: 'Serve development activity without accounts.',
    status: 'active',
    progress: { completed: 14, total: 20, percent: 70 },
    labels: ['api'],
    createdAt: NOW - 60 * MINUTE,
    startedAt: NOW - 60 * MINUTE,
    targetAt: null,
    completedAt: null,
    url,
    provenance: aProvenance({ sourceUrl: url }),
    ...over,
  };
}

export function aSync(over: Partial<Sync> = {}): Sync {
  return {
    kind: 'sync',
    id: 'git:acme/widget',
    sourceType: 'git',
    label: over.repositoryRef === undefined || over.repositoryRef === '-' ? 'widget' : (over.repositoryRef.split('#', 1)[0] ?? ''),
    repositoryRef: REF,
    feeds: ['repository', 'commit', 'release'],
    intervalMs: 5 * MINUTE,
    firstAttemptAt: NOW - HOUR,
    lastAttemptAt: NOW - MINUTE,
    lastSuccessAt: NOW - MINUTE,
    lastFailureAt: null,
    lastFailureCode: null,
    state: null,
    ...over,
  };
}

/** A change of a commit. */
export function aChange(over: Partial<StoreChange> = {}): StoreChange {
  return { operation: 'put', kind: 'commit', key: null, repositoryRef: REF, serviceKey: null, day: null, sync: null, ...over };
}
