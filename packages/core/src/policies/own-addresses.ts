import type { Article } from '../domain/content/article.js';
import type { Video } from '../domain/content/video.js';
import type { Commit } from '../domain/development/commit.js';
import type { Finding } from '../domain/development/finding.js';
import type { Release } from '../domain/development/release.js';
import type { Repository } from '../domain/repositories/repository.js';
import type { Provenance } from '../domain/shared/provenance.js';
import type { Build } from '../domain/work/build.js';
import type { Mission } from '../domain/work/mission.js';
import { ownUrl } from './own-url.js';

/** Records that belong, or may belong, to a repository. */
export type ScopedRecord = Commit | Release | Finding | Build | Mission | Article | Video;

/** Replaces every URL that is not under the public address of the record's repository. */
export function withOwnAddresses<Record extends ScopedRecord>(record: Record, repository: Repository): Record {
  const base = repository.provenance.sourceUrl;
  const provenance = ownProvenance(record.provenance, base);
  const urls = ownUrls(record, base);
  return provenance === record.provenance && urls === null ? record : { ...record, ...urls, provenance };
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

/** The record's URLs after replacement; `null` if none has to be replaced. */
function ownUrls(record: ScopedRecord, base: string): Readonly<Record<string, string | null>> | null {
  const addresses = addressesOf(record);
  const own = Object.entries(addresses).map(([field, url]) => [field, url === null ? null : ownUrl(url, base)] as const);
  return own.every(([field, url]) => url === addresses[field]) ? null : Object.fromEntries(own);
}

function addressesOf(record: ScopedRecord): Readonly<Record<string, string | null>> {
  switch (record.kind) {
    case 'commit':
      return {};
    case 'release':
    case 'finding':
      return { sourceUrl: record.sourceUrl };
    case 'build':
    case 'mission':
      return { url: record.url };
    case 'article':
      return { url: record.url, sourceUrl: record.sourceUrl };
    case 'video':
      return { url: record.url, sourceUrl: record.sourceUrl, embedUrl: record.embedUrl, thumbnailUrl: record.thumbnailUrl };
  }
}
