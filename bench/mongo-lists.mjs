import { nameOfRef } from '../packages/core/dist/index.js';
import { aCommit, aRepositoryRecord, NOW, Random } from '../packages/core/dist/testing/index.js';
import { ensureIndexes } from '../packages/adapters-mongo/dist/index.js';
import { STORED_KINDS } from '../packages/adapters-mongo/dist/documents/documents.js';

const REPOSITORIES = 10_000;
const BATCH = 10_000;
const refs = Array.from({ length: REPOSITORIES }, (_, index) => `team/repository-${String(index).padStart(5, '0')}`);

/** Which repositories are approved: 20 busy ones, 1,000 spread over the newest nine tenths of the store, or 1,000 that all lie in its oldest tenth. */
export const approvals = { 20: refs.slice(0, 20), 1000: refs.slice(0, 1_000), old: refs.slice(-1_000) };

const random = new Random(11);
const texts = Array.from({ length: 200 }, (_, index) => `Change ${String(index)}: ${'the way in which it is done, '.repeat(4)}`);

/** The oldest tenth belongs to the last thousand repositories, one in forty of the rest to the first twenty. */
function commit(serial, count) {
  const isOld = serial >= 0.9 * count;
  const repository = isOld ? 9_000 + random.int(1_000) : serial % 40 === 0 ? random.int(20) : random.int(9_000);
  const repositoryRef = refs[repository];
  const sha = (Math.imul(serial + 1, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0').padEnd(40, serial.toString(16).padStart(8, '0'));
  return aCommit({
    repositoryRef,
    sha,
    title: texts[serial % 200].slice(0, 60),
    description: texts[(serial + 7) % 200],
    authorName: `Author ${String(serial % 997)}`,
    authorLogin: `author-${String(serial % 997)}`,
    branch: serial % 5 === 0 ? 'next' : 'main',
    changeType: serial % 1_000 === 0 ? 'security' : 'fix',
    committedAt: NOW - serial * 10_000,
    changedPaths: [`src/${nameOfRef(repositoryRef)}.ts`],
  });
}

/** Fills an empty database with so many commits of 10,000 repositories. */
export async function fillCommits(db, count) {
  const { repository, commit: commits } = STORED_KINDS;
  await db
    .collection(repository.collection)
    .insertMany(refs.map((repositoryRef) => repository.spec.toDocument(aRepositoryRecord({ repositoryRef }))));
  for (let start = 0; start < count; start += BATCH) {
    const documents = Array.from({ length: Math.min(BATCH, count - start) }, (_, index) => commits.spec.toDocument(commit(start + index, count)));
    await db.collection(commits.collection).insertMany(documents, { ordered: false, writeConcern: { w: 1 } });
  }
  await ensureIndexes(db);
}
