import { SECOND, type SourceStatus } from '@vitrine/core';
import { presentOptionalInstant } from './instant.js';
import { presentProvenance } from './provenance.js';
import { namingRepository } from './repository.js';

/** @param sourcesUrl public address of the list of sources */
export function presentSource(source: SourceStatus, sourcesUrl: string) {
  const body = {
    id: source.id,
    sourceType: source.sourceType,
    label: source.label,
    feeds: source.feeds,
    repository: source.repository,
    service: source.service,
    state: source.state,
    lastSuccessAt: presentOptionalInstant(source.lastSuccessAt),
    lastAttemptAt: presentOptionalInstant(source.lastAttemptAt),
    intervalSeconds: Math.round(source.intervalMs / SECOND),
    provenance: presentProvenance({
      source: 'vitrine',
      sourceKind: 'service-interpretation',
      sourceUrl: sourcesUrl,
      observedAt: source.observedAt,
      confidence: 'high',
      isOfficialSource: false,
    }),
  };
  return source.repository === null ? body : namingRepository(body, source.repository);
}
