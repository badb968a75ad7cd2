import type { Commit } from '../kinds/commit.js';
import type { PlainRecord } from '../kinds/identity.js';
import type { Instant } from '../kinds/instant.js';
import { byKind, fieldsWhere } from '../kinds/kinds.js';
import { compareText } from '../kinds/page.js';
import type { Provenance } from '../kinds/provenance.js';
import type { Release } from '../kinds/release.js';
import type { RepositoryRecord } from '../kinds/repository.js';
import { keepFirst, sameValue } from './stored-record.js';

/** What one source says about a record. */
export interface Statement {
  /** The id of the source's sync record, `type:name`. */
  readonly source: string;
  readonly record: PlainRecord;
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
const MERGED_KINDS: ReadonlySet<string> = new Set<PlainRecord['kind']>(['repository', 'release', 'commit']);

/** The order in which statements are kept, which does not depend on the order of runs. In this order, a store accepts all of them. */
export function compareSources(a: string, b: string): number {
  return compareBy(KEPT_ORDER, a, b);
}

/** The record that statements in any order give, each field decided by the source with the authority for it; `null`: only a forge speaks of a commit. */
function mergedRecord(statements: readonly Statement[]): PlainRecord | null {
  const bringing = statements.filter((statement) => !isLoginOnly(statement));
  // Nearly all records have one source, and are put again and again.
  if (statements.length < 2) return bringing[0]?.record ?? null;
  const [named, dated] = [inOrder(bringing, FORGE_FIRST)[0]?.record, inOrder(bringing, GIT_FIRST)[0]?.record];
  return named === undefined || dated === undefined ? null : mergedOf(named, dated, statements);
}

/** @param named by the source that decides names @param dated by the one that decides times */
function mergedOf(named: PlainRecord, dated: PlainRecord, statements: readonly Statement[]): PlainRecord {
  if (dated.kind === 'commit') return withLogin(dated, statements);
  if (named.kind === 'release' && dated.kind === 'release') return mergedRelease(named, dated);
  return named.kind === 'repository' && dated.kind === 'repository' ? mergedRepository(named, dated, statements) : named;
}

/** A forge says about a commit only who its author is: with the rest as git says it, the statement takes no space. */
function rebasedStatement(statement: Statement, merged: PlainRecord): Statement {
  const { source, record } = statement;
  if (record.kind !== 'commit' || merged.kind !== 'commit' || !isLoginOnly(statement)) return statement;
  return { source, record: { ...merged, authorLogin: record.authorLogin } };
}

function isLoginOnly({ source, record }: Statement): boolean {
  return record.kind === 'commit' && voiceOf(source) === 'forge';
}

function mergedRelease(notes: Release, tag: Release): Release {
  if (notes === tag) return notes;
  const { id, tagName, publishedAt } = tag;
  return { ...notes, id, tagName, publishedAt, provenance: publishedAs(notes.provenance, tag.provenance) };
}

function publishedAs({ publishedAt: _ignored, ...notes }: Provenance, { publishedAt }: Provenance): Provenance {
  return publishedAt === undefined ? notes : { ...notes, publishedAt };
}

function mergedRepository(named: RepositoryRecord, { defaultBranch }: RepositoryRecord, statements: readonly Statement[]): RepositoryRecord {
  // The oldest, as responses show it.
  const lastSyncedAt = Math.min(...statements.map(({ record }) => (record.kind === 'repository' ? record.lastSyncedAt : Infinity)));
  return { ...named, defaultBranch, lastSyncedAt };
}

function withLogin(commit: Commit, statements: readonly Statement[]): Commit {
  const logins = inOrder(statements, FORGE_FIRST).map(({ record }) => (record.kind === 'commit' ? record.authorLogin : ''));
  const authorLogin = logins.find((login) => login !== '') ?? '';
  return authorLogin === commit.authorLogin ? commit : { ...commit, authorLogin };
}

function inOrder(statements: readonly Statement[], order = KEPT_ORDER): readonly Statement[] {
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

/** A stored record with the statement of each source that vouches for it. */
export interface VouchedRecord {
  /** The record that readers show. */
  readonly record: PlainRecord;
  /** One statement for each source, in a fixed order. Empty if no source vouches: the record was imported, or stored by an older version. */
  readonly statements: readonly Statement[];
}

/** The part of a statement that is stored beside the record. */
export interface Voucher {
  readonly source: string;
  /** The fields in which the source contradicts the record; empty if it says the same. `null` also for an optional field of which it says nothing. */
  readonly says: Readonly<Record<string, unknown>>;
}

export interface PutOptions {
  /** The source that says so; `null` if the caller is not a source. */
  readonly source: string | null;
  /** As in `PutContext`. */
  readonly filledAt?: Instant | undefined;
}

/**
 * The stored record after a source has put its version. Without a source, the given record replaces the shown one, and who agreed with a field agrees with its new value.
 * `null` if the sources do not bring such a record: see {@link mergedRecord}.
 */
export function withStatement(stored: VouchedRecord | null, given: PlainRecord, { source, filledAt }: PutOptions): VouchedRecord | null {
  const { record: shown, statements } = stored ?? NOT_STORED;
  if (source === null || given.kind === 'sync') return vouchedRecord(keepFirst(given, shown, filledAt), vouchersIn(stored));
  const others = statements.filter((statement) => statement.source !== source);
  if (!MERGED_KINDS.has(given.kind)) return agreeing(keepFirst(given, shown, filledAt), [...others.map((other) => other.source), source]);
  const own = others.length === 0 ? { record: shown } : statements.find((statement) => statement.source === source);
  return merged([...others, { source, record: keepFirst(given, own?.record ?? null, filledAt) }]);
}

const NOT_STORED = { record: null, statements: [] };

function vouchersIn(stored: VouchedRecord | null): readonly Voucher[] {
  return stored === null ? [] : vouchersOf(stored);
}

/** The record after a source has withdrawn; `null` if nobody else vouches: it is removed. @param source `null` removes it in any case */
export function withoutStatement(stored: VouchedRecord, source: string | null): VouchedRecord | null {
  const others = source === null ? [] : stored.statements.filter((statement) => statement.source !== source);
  if (others.length === 0) return null;
  if (others.length === stored.statements.length) return stored;
  return MERGED_KINDS.has(stored.record.kind) ? merged(others) : { record: stored.record, statements: others };
}

/** Whether the same sources vouch for both, and say the same. */
export function sameVouchers(a: VouchedRecord, b: VouchedRecord): boolean {
  return sameValue(vouchersOf(a), vouchersOf(b));
}

/** The statement of each of its sources; the record itself if no source vouches for it. */
export function statedBy({ record, statements }: VouchedRecord): readonly { readonly record: PlainRecord; readonly source: string | null }[] {
  return statements.length === 0 ? [{ record, source: null }] : statements;
}

/** What is stored of the statements. */
export function vouchersOf({ record, statements }: VouchedRecord): readonly Voucher[] {
  return statements.map(({ source, record: said }) => ({ source, says: said === record ? NOTHING : differences(said, record) }));
}

/** The inverse of {@link vouchersOf}. A source without a statement about a field agrees with the record. */
export function vouchedRecord(record: PlainRecord, vouchers: readonly Voucher[]): VouchedRecord {
  const statements = vouchers.map(({ source, says }) => ({ source, record: Object.keys(says).length === 0 ? record : saying(says, record) }));
  return { record, statements: inOrder(statements) };
}

/** The optional fields that are absent, and never `null`, where nothing is known. */
const ABSENT = byKind((facts) => fieldsWhere(facts, ({ optional, nullable }) => optional === true && nullable !== true));

function saying(says: Voucher['says'], record: PlainRecord): PlainRecord {
  const said = { ...record, ...says };
  for (const name of ABSENT[record.kind]) if ((Reflect.get(said, name) ?? null) === null) Reflect.deleteProperty(said, name);
  return said;
}

const NOTHING: Voucher['says'] = {};

function merged(statements: readonly Statement[]): VouchedRecord | null {
  const record = mergedRecord(statements);
  return record === null ? null : { record, statements: inOrder(statements.map((statement) => rebasedStatement(statement, record))) };
}

function agreeing(record: PlainRecord, sources: readonly string[]): VouchedRecord {
  return { record, statements: inOrder(sources.map((source) => ({ source, record }))) };
}

function differences(said: PlainRecord, record: PlainRecord): Voucher['says'] {
  const names = Object.keys({ ...record, ...said }).filter((name) => !sameValue(Reflect.get(said, name), Reflect.get(record, name)));
  return names.length === 0 ? NOTHING : Object.fromEntries(names.map((name): [string, unknown] => [name, Reflect.get(said, name) ?? null]));
}
