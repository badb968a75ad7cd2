import type { SearchResult } from '@vitrine/core';
import type { Links } from './links.js';
import { presentProvenance } from './provenance.js';
import { presentOptionalRepository } from './repository.js';
import { presentInstant } from './instant.js';

export function presentSearchResult(result: SearchResult, links: Links) {
  return {
    id: result.id,
    type: result.type,
    title: result.title,
    description: result.description,
    href: links.record(result.type, result.id),
    source: result.source,
    repository: presentOptionalRepository(result.repository, links),
    timestamp: presentInstant(result.timestamp),
    matchedFields: result.matchedFields,
    provenance: presentProvenance(result.provenance),
  };
}
