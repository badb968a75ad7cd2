import { fixed, flag, leftOut, optional, text, time, whole, type RecordFacts } from './fields.js';
import type { Instant } from './instant.js';
import { type Provenance, origin } from './provenance.js';

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

export const SERVICE_FACTS = {
  searched: { displayName: 'title', key: 'text' },
  sent: [],
  fields: {
    key: text('key', 'Stable public key.', 'acme:widget-api'),
    displayName: text('title', 'Human label.', 'Widget API'),
    healthUrl: text('url', 'Public address that is checked.', 'https://widget.acme.example/health'),
    dependency: optional(flag('Whether somebody else runs it.', true)),
    group: optional(text('short', 'The name of its group.', 'APIs')),
    order: optional(whole('Its place among the services.', 1, 0, 10_000)),
    firstSeenAt: fixed(leftOut('now', time('When it was first stored.', '2026-11-20T13:50:00.000Z'))),
    provenance: origin,
  },
} as const satisfies RecordFacts<Service>;
