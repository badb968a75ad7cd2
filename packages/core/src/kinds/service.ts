import type { Instant } from './instant.js';
import type { Provenance } from './provenance.js';

/** A public service whose health is checked. */
export interface Service {
  readonly kind: 'service';
  /** `<provider>:<component>`, of `A-Z a-z 0-9 _ . : -`, at most 64. */
  readonly key: string;
  readonly displayName: string;
  readonly healthUrl: string;
  /** `true` if somebody else runs it: it does not count in the overall state. Absent means `false`. */
  readonly dependency?: boolean | undefined;
  /** The name of the group in which pages show it. Absent: it is in none. */
  readonly group?: string | undefined;
  /** Its place among the services: smaller numbers come first, services without one last. */
  readonly order?: number | undefined;
  /** Never changes once stored. */
  readonly firstSeenAt: Instant;
  readonly provenance: Provenance;
}
