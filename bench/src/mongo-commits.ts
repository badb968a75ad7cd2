import type { Db } from 'mongodb';
import { nameOfRef, type Commit, type RepositoryRef } from '@vitrine/core';
import { aCommit, aRepositoryRecord, NOW, Random } from '@vitrine/core/testing';
import { elementOf } from './element-of.js';
import { ensureIndexes } from '@vitrine/adapters-mongo';
import { Collections } from '../../packages/adapters-mongo/dist/collections.js';
import { DOCUMENTS } from '../../packages/adapters-mongo/dist/documents/documents.js';

const REPOSITORIES = 10_000;
const BATCH = 10_000;
const refs = Array.from({ length: REPOSITORIES }, (_, index): RepositoryRef => `team/repository-${String(index).padStart(5, '0')}`);

/** The approved repositories: 20 busy ones, 1,000 spread over the newest nine tenths of the store, or 1,000 that are all in its oldest tenth. */
export const approvals: Readonly<Record<string, readonly string[]>> = { 20: refs.slice(0, 20), 1000: refs.slice(0, 1_000), old: refs.slice(-1_000) };

const random = new Random(11);
const texts = Array.from({ length: 200 }, (_, index) => `Change ${String(index)}: ${'the way in which it is done, '.repeat(4)}`);

const textOf = (serial: number) => elementOf(texts, serial % texts.length);

/** The oldest tenth belongs to the last thousand repositories. Of the rest, one in forty belongs to the first twenty. */
function commit(serial: number, count: number): Commit {
  const isOld = serial >= 0.9 * count;
  const repository = isOld ? 9_000 + random.int(1_000) : serial % 40 === 0 ? random.int(20) : random.int(9_000);
  const repositoryRef = elementOf(refs, repository);
  const sha = (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').padEnd(40, serial.toString(16).padStart(8, '0'));
  return aCommit({
    repositoryRef,
    sha,
    title: textOf(serial).slice(0, 60),
    description: textOf(serial + 7),
    authorName: `Author ${String(serial % 997)}`,
    authorLogin: `author-${String(serial % 997)}`,
    branch: serial % 5 === 0 ? 'next' : 'main',
    changeType: serial % 1_000 === 0 ? 'security' : 'fix',
    committedAt: NOW - serial * 10_000,
    changedPaths: [`src/${nameOfRef(repositoryRef)}.ts`],
  });
}

/** Fills an empty database with commits of 10,000 repositories. */
export async function fillCommits(db: Db, count: number): Promise<void> {
  const collections = new Collections(db);
  await collections
    .writable('repositories')
    .insertMany(refs.map((repositoryRef) => DOCUMENTS.repository.toDocument(aRepositoryRecord({ repositoryRef }))));
  for (let start = 0; start < count; start += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => DOCUMENTS.commit.toDocument(commit(start + index, count)));
    await collections.writable('commits').insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
  }
  await ensureIndexes(db);
}

/** Selects a page. */
interface StoredPage {
  /** The newest time; without it, the page starts with the newest commit. */
  readonly to?: Date;
  /** The number of commits before the page. */
  readonly skip?: number;
}

/** The expected commits of a page, read with the driver and without Vitrine. */
export async function storedShas(db: Db, approval: string, { to = new Date(NOW), skip = 0 }: StoredPage = {}): Promise<readonly string[]> {
  const filter = { repositoryRef: { $in: [...(approvals[approval] ?? [])] }, committedAt: { $lte: to } };
  const commits = db.collection<{ readonly sha: string; readonly repositoryRef: string; readonly committedAt: Date }>('commits');
  const found = commits.find(filter, { sort: { committedAt: -1, _id: 1 }, skip, limit: 20, projection: { sha: 1 }, hint: hintFor(approval) });
  return (await found.toArray()).map(({ sha }) => sha);
}

/** The best index for a list of this number of repositories. */
function hintFor(approval: string): Readonly<Record<string, 1 | -1>> {
  const isMany = (approvals[approval]?.length ?? 0) > 200;
  return isMany ? { committedAt: -1, _id: 1, repositoryRef: 1 } : { repositoryRef: 1, committedAt: -1, _id: 1 };
}
