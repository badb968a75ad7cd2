import type { Check } from '../kinds/check.js';
import type { Instant } from '../kinds/instant.js';
import { byKind, type RecordOf, type ShownKind } from '../kinds/kinds.js';
import { remembered } from '../kinds/page.js';
import type { Provenance } from '../kinds/provenance.js';
import { nameOfRef, parseRepositoryName, type RepositoryRef, type ScopeRef } from '../kinds/repository-name.js';
import type { Repository } from '../kinds/repository.js';
import type { Service } from '../kinds/service.js';
import type { SyncTimes } from '../kinds/sync.js';
import type { ApprovedRepositories } from './allowlist.js';
import { changedTexts } from './publishable-record.js';

const ADDRESS = /^(https?):\/\/([^/?#@\\\s\p{Cc}]+)((?:[/?#@][^\s\\\p{Cc}]*)?)$/iu;
/** Dot segments, also encoded ones. A browser or server resolves them, so that the URL could leave the repository's address. */
const DOT_SEGMENT = /(^|\/|%2f|%5c)(\.|%2e){1,2}(\/|%2f|%5c|;|$)/i;

/** The URL if it is under the public address of the record's repository, otherwise that address: a record must not point to what is not public. */
export function ownUrl(url: string, repositoryUrl: string): string {
  return isBelow(url, repositoryUrl) ? url : repositoryUrl;
}

/** Plain segments without dot segments. A URL whose rest after the base matches needs no further check. */
const PLAIN_PATH = /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9._~-]+)*$/;

function isBelow(url: string, base: string): boolean {
  const root = rootOf(base);
  if (root === null) return false;
  if (url.startsWith(base) && PLAIN_PATH.test(url.slice(base.length))) return true;
  const target = partsOf(url);
  if (target === null || root.origin !== target.origin || !target.rest.startsWith(root.rest)) return false;
  const below = target.rest.slice(root.rest.length);
  return /^([/?#]|$)/.test(below) && !DOT_SEGMENT.test(pathOf(target));
}

function pathOf({ rest }: AddressParts): string {
  return rest.split(/[?#]/, 1)[0] ?? '';
}

/** The records of a page belong to few repositories. */
const rootOf = remembered(1_000, (base: string): AddressParts | null => {
  const parts = partsOf(withoutFinalSlashes(base));
  return parts === null || DOT_SEGMENT.test(pathOf(parts)) ? null : parts;
});

/** Removes the slashes at the end of an address, so that a path can be appended. */
export function withoutFinalSlashes(address: string): string {
  let end = address.length;
  while (address[end - 1] === '/') end -= 1;
  return address.slice(0, end);
}

interface AddressParts {
  readonly origin: string;
  readonly rest: string;
}

function partsOf(url: string): AddressParts | null {
  const parts = ADDRESS.exec(url);
  if (parts === null) return null;
  const [, scheme = '', host = '', rest = ''] = parts;
  return { origin: `${scheme}://${host}`.toLowerCase(), rest };
}

/** Records that belong, or may belong, to a repository. */
export type ScopedRecord = RecordOf<ShownKind>;

const REPLACERS = byKind(({ fields }) => changedTexts<string>(fields, (form) => (form === 'url' ? ownUrl : null)));

/** Replaces every URL that is not under the public address of the record's repository. */
export function withOwnAddresses<Record extends ScopedRecord>(record: Record, repository: Repository): Record {
  // Only texts differ.
  return REPLACERS[record.kind](record, repository.provenance.sourceUrl) as Record;
}

/** Replaces the URL of the newest release if it is not under the repository's public address. */
export function withOwnRelease(repository: Repository): Repository {
  const release = repository.latestRelease;
  if (release === null) return repository;
  const sourceUrl = ownUrl(release.sourceUrl, repository.provenance.sourceUrl);
  return sourceUrl === release.sourceUrl ? repository : { ...repository, latestRelease: { ...release, sourceUrl } };
}

/**
 * The check with the present address of its service, if Vitrine itself measures the service. An address that the service had before, and that may not be published any
 * more, does not stay in its history.
 *
 * @param service `undefined` for checks of a service that is gone
 */
export function withServiceAddress(check: Check, service: Pick<Service, 'provenance'> | undefined): Check {
  if (service === undefined || !isMeasured(service.provenance) || !isMeasured(check.provenance)) return check;
  const { sourceUrl } = service.provenance;
  return check.provenance.sourceUrl === sourceUrl ? check : { ...check, provenance: { ...check.provenance, sourceUrl } };
}

/** Whether Vitrine has measured it, and not a provider or another collector. */
function isMeasured({ source, sourceKind }: Provenance): boolean {
  return source === 'vitrine' && sourceKind === 'confirmed-from-source';
}

/** Sync records that were read once serve many responses. */
const known = new WeakMap<readonly SyncTimes[], ReadonlyMap<ScopeRef, Instant>>();

/**
 * Sets `lastSyncedAt` to the start of the last completed run of the repository's sources: the oldest one, if it has several. A source that has not completed
 * a run does not count: the response is `partial` because of it. If no source has completed a run, the stored time remains.
 */
export function withLastSynced(repository: Repository, syncs: readonly SyncTimes[]): Repository {
  const lastSyncedAt = oldestRunsIn(syncs).get(repository.repositoryRef);
  return lastSyncedAt === undefined ? repository : { ...repository, lastSyncedAt };
}

/** The same for records beside their repositories. */
export function besideLastSynced<Item extends { readonly repository: Repository | null }>(
  items: readonly Item[],
  syncs: readonly SyncTimes[],
): Item[] {
  return items.map((item) => {
    const repository = item.repository === null ? null : withLastSynced(item.repository, syncs);
    return repository === item.repository ? item : { ...item, repository };
  });
}

function oldestRunsIn(syncs: readonly SyncTimes[]): ReadonlyMap<ScopeRef, Instant> {
  const before = known.get(syncs);
  if (before !== undefined) return before;
  const oldest = new Map<ScopeRef, Instant>();
  for (const { repositoryRef, lastSuccessAt } of syncs)
    if (lastSuccessAt !== null) oldest.set(repositoryRef, Math.min(oldest.get(repositoryRef) ?? lastSuccessAt, lastSuccessAt));
  known.set(syncs, oldest);
  return oldest;
}

/** Stands in for an approved repository whose own record is not stored (yet), so that a page can contain its records. @param provenance of one of these */
export function repositoryWithoutRecord(ref: RepositoryRef, approved: ApprovedRepositories, provenance: Provenance): Repository {
  const name = approved.nameOf(ref) ?? parseRepositoryName(nameOfRef(ref)) ?? { fullName: nameOfRef(ref), owner: '', name: '' };
  const { publishedAt: _publishedAt, ...origin } = provenance;
  return {
    kind: 'repository',
    repositoryRef: ref,
    ...{ fullName: name.fullName, owner: name.owner, name: name.name },
    defaultBranch: null,
    lastSyncedAt: provenance.observedAt,
    latestActivityAt: null,
    latestRelease: null,
    provenance: { ...origin, confidence: 'unknown' },
  };
}
