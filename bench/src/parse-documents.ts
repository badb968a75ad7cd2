import type { Db } from 'mongodb';

const COMMON = { objectId: 'string', createdAt: 'date', updatedAt: 'date' };
const READABLE = { class_permissions: { find: { '*': true }, get: { '*': true } } };

/** The classes as Parse Server stores them, with the fields that Vitrine's list shows. */
const CLASSES = {
  Repository: {
    repositoryRef: 'string',
    fullName: 'string',
    owner: 'string',
    name: 'string',
    defaultBranch: 'string',
    lastSyncedAt: 'date',
    provenance: 'object',
  },
  Commit: {
    repository: '*Repository',
    repositoryRef: 'string',
    sha: 'string',
    title: 'string',
    description: 'string',
    authorName: 'string',
    authorLogin: 'string',
    branch: 'string',
    additions: 'number',
    deletions: 'number',
    filesChanged: 'number',
    changeType: 'string',
    committedAt: 'date',
    provenance: 'object',
  },
};

/** The index that Vitrine uses for a list of few repositories. */
const INDEX = { repositoryRef: 1, committedAt: -1, _id: 1 } as const;

/** Parse Server's ids have ten characters. The last ten of a name, and the first ten of a sha, are unique in the data of the benchmark. */
const ID_LENGTH = 10;
const lastOf = (field: string) => ({ $substrCP: [field, { $subtract: [{ $strLenCP: field }, ID_LENGTH] }, ID_LENGTH] });

/** Copies the commits and repositories of a database that Vitrine reads into Parse Server's format, within the server. */
export async function copyForParse(from: Db, to: Db): Promise<void> {
  await copied(from, to, 'Repository', 'repositories', { _id: lastOf('$repositoryRef') }, '$lastSyncedAt');
  const ids = { _id: { $substrCP: ['$sha', 0, ID_LENGTH] }, _p_repository: { $concat: ['Repository$', lastOf('$repositoryRef')] } };
  await copied(from, to, 'Commit', 'commits', ids, '$committedAt');
  await to.collection('Commit').createIndex(INDEX);
  const classes = Object.entries(CLASSES).map(([_id, fields]) => ({ _id, ...COMMON, ...fields, _metadata: READABLE }));
  await to.collection<{ readonly _id: string }>('_SCHEMA').insertMany(classes);
}

/** Whether Parse Server has the same index. It changes the indexes of a database when its schema options say so. */
export async function hasSameIndex(db: Db): Promise<boolean> {
  return db.collection('Commit').indexExists(Object.entries(INDEX).flat().join('_'));
}

async function copied(from: Db, to: Db, className: keyof typeof CLASSES, collection: string, ids: object, time: string): Promise<void> {
  const fields = Object.keys(CLASSES[className]).filter((field) => field !== 'repository');
  const project = { ...ids, ...Object.fromEntries(fields.map((field) => [field, 1])), _created_at: time, _updated_at: time };
  await from
    .collection(collection)
    .aggregate([{ $project: project }, { $out: { db: to.databaseName, coll: className } }])
    .toArray();
}
