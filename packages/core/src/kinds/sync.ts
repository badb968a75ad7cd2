import { choice, list, nullable, someRepository, text, time, whole, type RecordFacts, type WithFields } from './fields.js';
import { DAY, SECOND } from './instant.js';
import { NO_REPOSITORY, nameOfRef } from './repository-name.js';

/** The kinds of records whose freshness is judged. */
export const SYNCED_KINDS = [
  'repository',
  'commit',
  'release',
  'finding',
  'build',
  'mission',
  'news',
  'article',
  'video',
  'check',
  'incident',
] as const;
export type SyncedKind = (typeof SYNCED_KINDS)[number];

/** The types of sources that are published. */
export const SOURCE_TYPES = [
  'git',
  'github',
  'gitea',
  'gitlab',
  'feed',
  'video',
  'article',
  'changelog',
  'probe',
  'heartbeat',
  'statuspage',
  'incident',
  'finding',
  'records',
] as const;
export type SourceType = (typeof SOURCE_TYPES)[number];

/** The memory of a collector about its configuration. It feeds no kind and is never published as a source. */
export const CONFIGURATION = 'configuration';

const fields = {
  /** Stable identity of the source: `type:owner/name`, `type:service-key` or `type:label`. An older one may contain a file path, which `publicSourceId` does not publish. */
  id: text('hidden', 'Identity of the source.', 'git:acme/widget'),
  sourceType: choice([...SOURCE_TYPES, CONFIGURATION], 'Type of the source.', 'git'),
  /** What people call the source. Published. */
  label: text('title', 'What people call the source.', 'acme/widget'),
  /** The repository that the source feeds, or `-`. */
  repositoryRef: someRepository,
  feeds: list('kinds', choice(SYNCED_KINDS, 'A kind.', 'commit'), 'The kinds that it brings.', SYNCED_KINDS.length),
  intervalMs: whole('The time between two runs, in milliseconds.', 300_000, SECOND, DAY),
  /** Start of the first run that has ended. */
  firstAttemptAt: nullable(time('Start of the first run that has ended.', '2026-11-01T08:00:00.000Z')),
  /** Start of the last run that has ended. */
  lastAttemptAt: nullable(time('Start of the last run that has ended.', '2026-11-20T13:45:00.000Z')),
  /** Start of the last run that has completed. */
  lastSuccessAt: nullable(time('Start of the last run that has completed.', '2026-11-20T13:45:00.000Z')),
  /** When the last run that failed ended. */
  lastFailureAt: nullable(time('When the last run that failed ended.', '2026-11-20T13:45:00.000Z')),
  /** A code such as `ENOENT`; never a message. */
  lastFailureCode: nullable(text('hidden', 'Why it failed.', 'ENOENT')),
  /** The memory of the source; opaque to all other code. */
  state: nullable(text('hidden', 'The memory of the source.', '')),
};

/** What a source's runs left behind: how fresh its kinds are, and where its next run goes on. */
export interface Sync extends WithFields<typeof fields> {
  readonly kind: 'sync';
}

export const SYNC_FACTS = {
  searched: {},
  sent: [],
  fields,
} as const satisfies RecordFacts<Sync>;

/** The public facts about the runs of a source. */
export type SyncTimes = Omit<Sync, 'state'>;

type LaterFields = 'sourceType' | 'label' | 'firstAttemptAt' | 'lastAttemptAt' | 'lastSuccessAt' | 'lastFailureAt' | 'lastFailureCode';

/** A sync record as it may be stored: one that an older version wrote has neither a type nor a label, and no time but that of its last success. */
export type SyncFields = Omit<Sync, 'kind' | LaterFields> & { readonly [Field in LaterFields]?: Sync[Field] | undefined };

/** The whole record. What an older record lacks follows from its id and its last success. */
export function syncOf(fields: SyncFields): Sync {
  const { id, repositoryRef, feeds, intervalMs, state, sourceType = olderTypeOf(fields) } = fields;
  const { label = repositoryRef === NO_REPOSITORY ? sourceType : nameOfRef(repositoryRef) } = fields;
  return { kind: 'sync', id, sourceType, label, repositoryRef, feeds, intervalMs, ...timesOf(fields), state };
}

function timesOf(fields: SyncFields): Pick<Sync, Exclude<LaterFields, 'sourceType' | 'label'>> {
  const { lastSuccessAt = null, lastFailureAt = null, lastFailureCode = null } = fields;
  const { firstAttemptAt = lastSuccessAt, lastAttemptAt = lastSuccessAt } = fields;
  return { firstAttemptAt, lastAttemptAt, lastSuccessAt, lastFailureAt, lastFailureCode };
}

/** What the first word of an older id says. */
function olderTypeOf({ id, feeds }: SyncFields): Sync['sourceType'] {
  if (id === 'services of the configuration' && feeds.length === 0) return CONFIGURATION;
  if (id.startsWith('self-check ')) return 'probe';
  const word = id.split(/[: ]/, 1)[0];
  return SOURCE_TYPES.find((type) => type === word) ?? 'records';
}

/** The key of the service that a source checks; `null` for a source that checks none, or several. */
export function serviceOf({ id, sourceType }: Pick<Sync, 'id' | 'sourceType'>): string | null {
  if (sourceType !== 'probe' && sourceType !== 'heartbeat') return null;
  const key = [`${sourceType}:`, 'self-check '].find((prefix) => id.startsWith(prefix));
  return key === undefined ? null : id.slice(key.length);
}

/** The id under which a source is published: `type:name`. If the stored name looks like a path or an address, that of its repository; `null` if it has none. */
export function publicSourceId({ id, sourceType, repositoryRef }: Pick<Sync, 'id' | 'sourceType' | 'repositoryRef'>): string | null {
  const prefix = `${sourceType}:`;
  const name = id.startsWith(prefix) ? id.slice(prefix.length) : id;
  if (PUBLIC_NAME.test(name)) return prefix + name;
  return repositoryRef === NO_REPOSITORY ? null : prefix + nameOfRef(repositoryRef);
}

/** Without a slash and an at sign: neither a path nor an address. */
const PUBLIC_NAME = /^[^/\\@\p{C}]+$/u;
