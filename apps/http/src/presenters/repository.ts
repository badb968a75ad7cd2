import type { ReleaseSummary, Repository } from '@vitrine/core';
import type { Links } from './links.js';
import { presentProvenance } from './provenance.js';
import { presentInstant, presentOptionalInstant } from './instant.js';

export type RepositoryBody = ReturnType<typeof bodyOf>;

interface Presented {
  readonly links: Links;
  readonly body: RepositoryBody;
}

/** Presented repositories by the stored one they come from: a page shows few repositories many times, and stored ones are never changed in place. */
const presented = new WeakMap<Repository, Presented>();

export function presentRepository(repository: Repository, links: Links): RepositoryBody {
  const known = presented.get(repository);
  if (known?.links === links) return known.body;
  const body = bodyOf(repository, links);
  presented.set(repository, { links, body });
  return namingRepository(body, repository.fullName);
}

export function presentOptionalRepository(repository: Repository | null, links: Links): RepositoryBody | null {
  return repository === null ? null : presentRepository(repository, links);
}

/** The full name of the repository that a presented object is, or names as text. */
const namedBy = new WeakMap<object, string>();

/** The same object, known to hold data of a repository. */
export function namingRepository<Body extends object>(body: Body, fullName: string): Body {
  namedBy.set(body, fullName);
  return body;
}

/** The full names of the repositories that stand anywhere in presented data. */
export function repositoriesIn(data: unknown): readonly string[] {
  if (typeof data !== 'object' || data === null) return [];
  const name = namedBy.get(data);
  return name === undefined ? Object.values(data).flatMap(repositoriesIn) : [name];
}

function bodyOf(repository: Repository, links: Links) {
  return {
    fullName: repository.fullName,
    owner: repository.owner,
    name: repository.name,
    defaultBranch: repository.defaultBranch,
    lastSyncedAt: presentInstant(repository.lastSyncedAt),
    latestActivityAt: presentOptionalInstant(repository.latestActivityAt),
    latestRelease: repository.latestRelease === null ? null : presentReleaseSummary(repository.latestRelease),
    provenance: presentProvenance(repository.provenance),
    hubHref: links.hub(repository.owner, repository.name),
    href: links.record('repository', repository.fullName),
  };
}

function presentReleaseSummary(release: ReleaseSummary) {
  return {
    tagName: release.tagName,
    name: release.name,
    releaseType: release.releaseType,
    platform: release.platform,
    publishedAt: presentInstant(release.publishedAt),
    sourceUrl: release.sourceUrl,
  };
}
