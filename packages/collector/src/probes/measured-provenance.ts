import type { Instant, Provenance } from '@vitrine/core';

/** The provenance of Vitrine's own measurements. @param isOfficialSource whether the service is the team's own */
export function measuredProvenance(sourceUrl: string, observedAt: Instant, isOfficialSource = true): Provenance {
  return { source: 'vitrine', sourceKind: 'confirmed-from-source', sourceUrl, observedAt, confidence: 'high', isOfficialSource };
}
