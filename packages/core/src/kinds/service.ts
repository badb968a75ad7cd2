import { fixed, flag, leftOut, optional, text, time, whole, type RecordFacts, type WithFields } from './fields.js';
import { origin } from './provenance.js';

const fields = {
  /** `<provider>:<component>`, of `A-Z a-z 0-9 _ . : -`, at most 64. */
  key: text('key', 'Stable public key.', 'acme:widget-api'),
  displayName: text('title', 'Human label.', 'Widget API'),
  healthUrl: text('url', 'Public address that is checked.', 'https://widget.acme.example/health'),
  /** `true` if somebody else runs it: it does not count in the overall state. Absent means `false`. */
  dependency: optional(flag('Whether somebody else runs it.', true)),
  /** The name of the group in which pages show it. Absent: it is in none. */
  group: optional(text('short', 'The name of its group.', 'APIs')),
  /** Its place among the services: smaller numbers come first, services without one last. */
  order: optional(whole('Its place among the services.', 1, 0, 10_000)),
  /** Never changes once stored. */
  firstSeenAt: fixed(leftOut('now', time('When it was first stored.', '2026-11-20T13:50:00.000Z'))),
  provenance: origin,
};

/** A public service whose health is checked. */
export interface Service extends WithFields<typeof fields> {
  readonly kind: 'service';
}

export const SERVICE_FACTS = {
  searched: { displayName: 'title', key: 'text' },
  sent: [],
  fields,
} as const satisfies RecordFacts<Service>;
