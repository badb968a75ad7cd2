import type { PlainRecord } from '../domain/identity-key.js';
import type { Commit } from '../domain/development/commit.js';
import type { Release } from '../domain/development/release.js';
import type { RepositoryRecord } from '../domain/repositories/repository.js';
import type { Provenance } from '../domain/shared/provenance.js';
import { compareText } from '../domain/shared/text-order.js';

/** What one source says about a record. */
export interface Statement<Kept extends PlainRecord = PlainRecord> {
  /** The id of the source's sync record, `type:name`. */
  readonly source: string;
  readonly record: Kept;
}

/** Git, a forge, or any other source, such as a records file. */
type Voice = 'git' | 'forge' | 'other';

const FORGES: ReadonlySet<string> = new Set(['github', 'gitlab', 'gitea', 'forgejo']);

/** The order in which statements are kept. A forge comes last, because it does not bring commits. */
const KEPT_ORDER: readonly Voice[] = ['git', 'other', 'forge'];
/** Who decides the notes of a release, its platform and type, the login of an author, and what a repository is called. */
const FORGE_FIRST: readonly Voice[] = ['forge', 'other', 'git'];
/** Who decides times, tags, and the default branch: a branch that git hides must not be shown because a forge names it. */
const GIT_FIRST: readonly Voice[] = ['git', 'forge', 'other'];

/** The kinds about which two sources may say different things. The record of any other kind is the one that was put last. */
export type MergedKind = 'repository' | 'release' | 'commit';

export function isMergedKind(kind: PlainRecord['kind']): kind is MergedKind {
  return kind === 'repository' || kind === 'release' || kind === 'commit';
}

/** The order in which statements are kept, which does not depend on the order of runs. In this order, a store accepts all of them. */
export function compareSources(a: string, b: string): number {
  return compareBy(KEPT_ORDER, a, b);
}

export function inKeptOrder(statements: readonly Statement[]): readonly Statement[] {
  return inOrder(statements, KEPT_ORDER);
}

/**
 * The record that several statements about it give, each field decided by the source with the authority for it. The order of the statements does not
 * matter. `null` if none of the sources can bring such a record: a forge alone does not bring a commit.
 */
export function mergedRecord(statements: readonly Statement[]): PlainRecord | null {
  const [first] = statements;
  if (first !== undefined && statements.length === 1) return isLoginOnly(first) ? null : first.record;
  switch (first?.record.kind) {
    case undefined:
      return null;
    case 'release':
      return mergedRelease(statements.filter(isAbout('release')));
    case 'repository':
      return mergedRepository(statements.filter(isAbout('repository')));
    case 'commit':
      return mergedCommit(statements.filter(isAbout('commit')));
    default:
      return first?.record ?? null;
  }
}

/** A forge says about a commit only who its author is: with the rest as git says it, the statement takes no space. */
export function rebasedStatement(statement: Statement, merged: PlainRecord): Statement {
  const { source, record } = statement;
  if (record.kind !== 'commit' || merged.kind !== 'commit' || !isLoginOnly(statement)) return statement;
  return { source, record: { ...merged, authorLogin: record.authorLogin } };
}

function isLoginOnly({ source, record }: Statement): boolean {
  return record.kind === 'commit' && voiceOf(source) === 'forge';
}

function mergedRelease(statements: readonly Statement<Release>[]): Release | null {
  const [notes, tag] = [firstOf(statements, FORGE_FIRST), firstOf(statements, GIT_FIRST)];
  if (notes === null || tag === null || notes === tag) return notes;
  const { name, body, platform, releaseType, sourceUrl, assets } = notes;
  const { assets: _unused, ...tagged } = tag;
  return {
    ...tagged,
    name,
    body,
    platform,
    releaseType,
    sourceUrl,
    ...(assets !== undefined && { assets }),
    provenance: publishedAs(notes.provenance, tag.provenance),
  };
}

function mergedRepository(statements: readonly Statement<RepositoryRecord>[]): RepositoryRecord | null {
  const [named, branched] = [firstOf(statements, FORGE_FIRST), firstOf(statements, GIT_FIRST)];
  if (named === null || branched === null) return null;
  // The oldest, as responses show it.
  const lastSyncedAt = Math.min(...statements.map(({ record }) => record.lastSyncedAt));
  return { ...named, defaultBranch: branched.defaultBranch, lastSyncedAt };
}

function mergedCommit(statements: readonly Statement<Commit>[]): Commit | null {
  const commit = firstOf(
    statements.filter((statement) => !isLoginOnly(statement)),
    GIT_FIRST,
  );
  const author = inOrder(statements, FORGE_FIRST).find(({ record }) => record.authorLogin !== '');
  const isSame = author === undefined || author.record.authorLogin === commit?.authorLogin;
  return commit === null || isSame ? commit : { ...commit, authorLogin: author.record.authorLogin };
}

function publishedAs({ publishedAt: _ignored, ...notes }: Provenance, { publishedAt }: Provenance): Provenance {
  return publishedAt === undefined ? notes : { ...notes, publishedAt };
}

function firstOf<Kept extends PlainRecord>(statements: readonly Statement<Kept>[], order: readonly Voice[]): Kept | null {
  return inOrder(statements, order)[0]?.record ?? null;
}

function inOrder<Kept extends PlainRecord>(statements: readonly Statement<Kept>[], order: readonly Voice[]): readonly Statement<Kept>[] {
  return statements.length < 2 ? statements : [...statements].sort((a, b) => compareBy(order, a.source, b.source));
}

/** By authority; of sources of one sort, by their ids. */
function compareBy(order: readonly Voice[], a: string, b: string): number {
  return order.indexOf(voiceOf(a)) - order.indexOf(voiceOf(b)) || compareText(a, b);
}

function voiceOf(source: string): Voice {
  const type = source.slice(0, Math.max(0, source.indexOf(':')));
  if (type === 'git') return 'git';
  return FORGES.has(type) ? 'forge' : 'other';
}

function isAbout<Kind extends MergedKind>(kind: Kind) {
  type Kept = Extract<PlainRecord, { readonly kind: Kind }>;
  return (statement: Statement): statement is Statement<Kept> => statement.record.kind === kind;
}
