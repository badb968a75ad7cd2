import type { Instant } from '../shared/instant.js';
import type { Provenance } from '../shared/provenance.js';

/** A public service whose health is checked. */
export interface Service {
  readonly kind: 'service';
  /** `<provider>:<component>`, of `A-Z a-z 0-9 _ . : -`, at most 64. */
  readonly key: string;
  readonly displayName: string;
  readonly healthUrl: string;
  /** `true` if somebody else runs it: it does not count in the overall state. Absent means `false`. */
  readonly dependency?: boolean | undefined;
  /** Never changes once stored. */
  readonly firstSeenAt: Instant;
  readonly provenance: Provenance;
}
