import type { Instant } from '../../domain/shared/instant.js';
import type { ServiceEvidence } from '../../domain/status/service-evidence.js';
import type { TallyWindow } from '../../domain/status/status-day.js';
import { uptimeWindows } from '../../policies/service-status.js';
import { evidenceOf, pastRanges } from '../../policies/status-counts/evidence.js';
import type { CheckReader } from '../../ports/check-reader.js';
import type { ReadContext } from '../../ports/read-context.js';
import { started } from '../shared/started.js';

export interface EvidenceQuery {
  /** `null` means all services. */
  readonly serviceKeys: readonly string[] | null;
  /** They begin at a full hour of an earlier day and end now. */
  readonly windows: readonly TallyWindow[];
  readonly now: Instant;
}

type Evidence = ReadonlyMap<string, ServiceEvidence>;

/** Reads the evidence about services at a moment. Keyed by service key. A service that was never checked is absent. */
export async function readEvidence(checks: CheckReader, { serviceKeys, windows, now }: EvidenceQuery, context: ReadContext): Promise<Evidence> {
  const [present, past] = await Promise.all([
    started(() => checks.present({ serviceKeys, now }, context)),
    started(() => checks.sums({ serviceKeys, ranges: pastRanges(windows, now) }, context)),
  ]);
  const found = new Map<string, ServiceEvidence>();
  for (const [key, own] of present) {
    const evidence = evidenceOf(own, past.get(key) ?? null, { windows, now });
    if (evidence !== null) found.set(key, evidence);
  }
  return found;
}

/** The evidence about services for the published windows, for every use case that shows their state. */
export class ServiceBoard {
  readonly #checks: CheckReader;

  constructor(checks: CheckReader) {
    this.#checks = checks;
  }

  /** @param serviceKeys `null` means all services */
  evidence(serviceKeys: readonly string[] | null, now: Instant, context: ReadContext): Promise<Evidence> {
    return readEvidence(this.#checks, { serviceKeys, windows: uptimeWindows(now), now }, context);
  }
}
