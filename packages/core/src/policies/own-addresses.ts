import { KINDS, type OwnUrlField, type RecordOf, type ScopedKind } from '../domain/kinds.js';
import type { Repository } from '../domain/repositories/repository.js';
import type { Provenance } from '../domain/shared/provenance.js';
import { ownUrl } from './own-url.js';

/** Records that belong, or may belong, to a repository. */
export type ScopedRecord = RecordOf<ScopedKind>;

/** Replaces every URL that is not under the public address of the record's repository. */
export function withOwnAddresses<Record extends ScopedRecord>(record: Record, repository: Repository): Record {
  const base = repository.provenance.sourceUrl;
  const provenance = ownProvenance(record.provenance, base);
  const urls = ownUrls(record, base);
  const assets = record.kind === 'release' ? record.assets?.map((asset) => ({ ...asset, url: ownUrl(asset.url, base) })) : undefined;
  if (provenance === record.provenance && urls === null && assets === undefined) return record;
  return { ...record, ...urls, ...(assets !== undefined && { assets }), provenance };
}

/** Replaces the URL of the newest release if it is not under the repository's public address. */
export function withOwnRelease(repository: Repository): Repository {
  const release = repository.latestRelease;
  if (release === null) return repository;
  const sourceUrl = ownUrl(release.sourceUrl, repository.provenance.sourceUrl);
  return sourceUrl === release.sourceUrl ? repository : { ...repository, latestRelease: { ...release, sourceUrl } };
}

function ownProvenance(provenance: Provenance, base: string): Provenance {
  const sourceUrl = ownUrl(provenance.sourceUrl, base);
  return sourceUrl === provenance.sourceUrl ? provenance : { ...provenance, sourceUrl };
}

/** The fields that hold URLs; which of them a record has depends on its kind. */
type Addressed = Pick<ScopedRecord, 'provenance'> & { readonly [Field in OwnUrlField]?: string | null };

/** The record's URLs that have to be replaced; `null` if there are none. */
function ownUrls(record: ScopedRecord, base: string): { readonly [Field in OwnUrlField]?: string } | null {
  const addressed: Addressed = record;
  let own: { [Field in OwnUrlField]?: string } | null = null;
  for (const field of KINDS[record.kind].ownUrls) {
    const url = addressed[field];
    const replaced = url === null || url === undefined ? url : ownUrl(url, base);
    if (replaced !== url && typeof replaced === 'string') (own ??= {})[field] = replaced;
  }
  return own;
}
