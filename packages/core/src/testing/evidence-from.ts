import type { Instant } from '../kinds/instant.js';
import type { ServiceEvidence } from '../kinds/service-status.js';
import type { TallyWindow } from '../kinds/status-day.js';
import type { CheckReader, ReadContext } from '../ports/readers.js';
import { evidenceOf, pastRanges } from '../rules/evidence.js';

interface AskedEvidence {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
  /** They begin at a full hour of an earlier day and end now. */
  readonly windows: readonly TallyWindow[];
  readonly now: Instant;
}

/** The evidence about services, as the use cases make it of what a store reads. */
export async function evidenceFrom(
  checks: CheckReader,
  { serviceKeys, windows, now }: AskedEvidence,
  context: ReadContext,
): Promise<ReadonlyMap<string, ServiceEvidence>> {
  const present = await checks.present({ serviceKeys, now }, context);
  const past = await checks.sums({ serviceKeys, ranges: pastRanges(windows, now) }, context);
  const found = [...present].map(([key, own]) => [key, evidenceOf(own, past.get(key) ?? null, { windows, now })] as const);
  return new Map(found.flatMap(([key, evidence]) => (evidence === null ? [] : [[key, evidence] as const])));
}
