import type { Provenance } from '@vitrine/core';
import { presentInstant } from './instant.js';

export function presentProvenance(provenance: Provenance) {
  const { source, sourceKind, sourceUrl, observedAt, publishedAt, confidence, isOfficialSource } = provenance;
  // Two literals: members have their order, and a spread would cost more than all the rest.
  return publishedAt === undefined
    ? { source, sourceKind, sourceUrl, observedAt: presentInstant(observedAt), confidence, isOfficialSource }
    : {
        source,
        sourceKind,
        sourceUrl,
        observedAt: presentInstant(observedAt),
        publishedAt: presentInstant(publishedAt),
        confidence,
        isOfficialSource,
      };
}
