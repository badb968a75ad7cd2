import { formatInstant, type Instant, type Provenance } from '@vitrine/core';

export function presentProvenance(provenance: Provenance) {
  const { source, sourceKind, sourceUrl, observedAt, publishedAt, confidence, isOfficialSource } = provenance;
  const before = { source, sourceKind, sourceUrl, observedAt: formatInstant(observedAt) };
  // Two literals, because a spread would decide at run time and members have their order.
  return publishedAt === undefined
    ? { ...before, confidence, isOfficialSource }
    : { ...before, publishedAt: formatInstant(publishedAt), confidence, isOfficialSource };
}

export function presentInstant(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
