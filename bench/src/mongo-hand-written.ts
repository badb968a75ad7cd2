import type { Request, Response } from 'express';
import type { Db } from 'mongodb';
import { NOW } from '@vitrine/core/testing';
import { approvals, hintFor } from './mongo-commits.js';

interface StoredProvenance {
  readonly source: string;
  readonly sourceKind: string;
  readonly sourceUrl: string;
  readonly observedAt: Date;
  readonly confidence: string;
  readonly isOfficialSource: boolean;
}

interface StoredCommit {
  readonly _id: string;
  readonly repositoryRef: string;
  readonly sha: string;
  readonly title: string;
  readonly description: string;
  readonly authorName: string;
  readonly authorLogin: string;
  readonly branch: string;
  readonly additions: number;
  readonly deletions: number;
  readonly filesChanged: number;
  readonly changeType: string;
  readonly committedAt: Date;
  readonly provenance: StoredProvenance;
}

interface StoredRepository {
  readonly _id: string;
  readonly fullName: string;
  readonly owner: string;
  readonly name: string;
  readonly defaultBranch: string;
  readonly lastSyncedAt: Date;
  readonly provenance: StoredProvenance;
}

/** The code that a developer would write for this one page, with its best index. */
export function handWrittenRoute(db: Db, approval: string, meta: unknown) {
  const refs = [...(approvals[approval] ?? [])];
  const hint = hintFor(approval);
  return async ({ query }: Request, response: Response): Promise<void> => {
    const to = typeof query['to'] === 'string' ? new Date(query['to']) : new Date(NOW + 300_000);
    const filter = { repositoryRef: { $in: refs }, committedAt: { $gte: new Date(0), $lte: to } };
    const commits = await db
      .collection<StoredCommit>('commits')
      .find(filter, { sort: { committedAt: -1, _id: 1 }, limit: 21, batchSize: 21, hint })
      .toArray();
    const page = commits.slice(0, 20);
    const owners = await db
      .collection<StoredRepository>('repositories')
      .find({ _id: { $in: [...new Set(page.map((commit) => commit.repositoryRef))] } })
      .toArray();
    const byRef = new Map(owners.map((owner) => [owner._id, owner]));
    response.json({ data: page.map((commit) => commitBody(commit, byRef.get(commit.repositoryRef))), meta });
  };
}

function commitBody(commit: StoredCommit, repository: StoredRepository | undefined) {
  const { sha, title, description, authorName, authorLogin, branch, additions, deletions, filesChanged, changeType } = commit;
  const own = { sha, title, description, authorName, authorLogin, branch, additions, deletions, filesChanged, changeType };
  const shown = repository === undefined ? null : repositoryBody(repository);
  const href = `/api/v1/development/commits/${encodeURIComponent(`${repository?.fullName ?? ''}@${sha}`)}`;
  return { ...own, committedAt: commit.committedAt.toISOString(), repository: shown, provenance: provenanceBody(commit.provenance), href };
}

function repositoryBody({ fullName, owner, name, defaultBranch, lastSyncedAt, provenance }: StoredRepository) {
  const own = { fullName, owner, name, defaultBranch, lastSyncedAt: lastSyncedAt.toISOString(), latestActivityAt: null, latestRelease: null };
  const hrefs = { hubHref: `/api/v1/repositories/${fullName}/hub`, href: `/api/v1/repositories/${encodeURIComponent(fullName)}` };
  return { ...own, provenance: provenanceBody(provenance), ...hrefs };
}

function provenanceBody({ source, sourceKind, sourceUrl, observedAt, confidence, isOfficialSource }: StoredProvenance) {
  return { source, sourceKind, sourceUrl, observedAt: observedAt.toISOString(), confidence, isOfficialSource };
}
