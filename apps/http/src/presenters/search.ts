import type { SearchResult } from '@vitrine/core';
import { presentProvenance } from './provenance.js';
import { presentOptionalRepository } from './repository.js';
import { presentInstant } from './instant.js';

/** @param href path of the record */
export function presentSearchResult(result: SearchResult, href: string) {
  return {
    id: result.id,
    type: result.type,
    title: result.title,
    description: result.description,
    href,
    source: result.source,
    repository: presentOptionalRepository(result.repository),
    timestamp: presentInstant(result.timestamp),
    matchedFields: result.matchedFields,
    provenance: presentProvenance(result.provenance),
  };
}
