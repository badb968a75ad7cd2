import { nameOfRef, parseRepositoryName, type RepositoryRef } from '../domain/repositories/repository-name.js';
import type { Repository } from '../domain/repositories/repository.js';
import type { Provenance } from '../domain/shared/provenance.js';
import type { ApprovedRepositories } from './allowlist.js';

/**
 * Stands in for an approved repository whose own record is not stored (yet). It is derived from one of the repository's other records, so that a
 * page can still contain that record.
 */
export function repositoryWithoutRecord(ref: RepositoryRef, approved: ApprovedRepositories, provenance: Provenance): Repository {
  const name = approved.nameOf(ref) ?? parseRepositoryName(nameOfRef(ref)) ?? { fullName: nameOfRef(ref), owner: '', name: '' };
  const { source, sourceKind, sourceUrl, observedAt, isOfficialSource } = provenance;
  return {
    kind: 'repository',
    repositoryRef: ref,
    fullName: name.fullName,
    owner: name.owner,
    name: name.name,
    defaultBranch: null,
    lastSyncedAt: provenance.observedAt,
    latestActivityAt: null,
    latestRelease: null,
    provenance: { source, sourceKind, sourceUrl, observedAt, confidence: 'unknown', isOfficialSource },
  };
}
