import type { ReleaseSummary, Repository } from '@vitrine/core';
import type { Links } from './links.js';
import { presentProvenance } from './provenance.js';
import { presentInstant, presentOptionalInstant } from './instant.js';

export type RepositoryBody = ReturnType<typeof bodyOf>;

interface Presented {
  readonly repository: Repository;
  readonly links: Links;
  readonly body: RepositoryBody;
}

/** Enough for the repositories of most allowlists. */
const KEPT = 1_000;
/**
 * The last presented repository of each name: a page shows few repositories many times, and stored ones are never changed in place. It is not a WeakMap, because
 * a store may return new objects for each request, and a WeakMap of objects that live briefly makes the garbage collection take longer than the presenting.
 */
const presented = new Map<string, Presented>();

export function presentRepository(repository: Repository, links: Links): RepositoryBody {
  const known = presented.get(repository.fullName);
  if (known?.repository === repository && known.links === links) return known.body;
  const body = namingRepository(bodyOf(repository, links), repository.fullName);
  if (presented.size >= KEPT) presented.clear();
  presented.set(repository.fullName, { repository, links, body });
  return body;
}

export function presentOptionalRepository(repository: Repository | null, links: Links): RepositoryBody | null {
  return repository === null ? null : presentRepository(repository, links);
}

/** The full name of the repository that a presented object is, or names as text. The property is not enumerable, so JSON does not contain it. */
const NAMED = Symbol('repository');

/** The same object, known to hold data of a repository. */
export function namingRepository<Body extends object>(body: Body, fullName: string): Body {
  return Object.defineProperty(body, NAMED, { value: fullName });
}

/** The full names of the repositories that stand anywhere in presented data. */
export function repositoriesIn(data: unknown): readonly string[] {
  if (typeof data !== 'object' || data === null) return [];
  const name: unknown = Reflect.get(data, NAMED);
  return typeof name === 'string' ? [name] : Object.values(data).flatMap(repositoriesIn);
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
    ...(repository.description !== undefined && { description: repository.description }),
    ...(repository.language !== undefined && { language: repository.language }),
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
