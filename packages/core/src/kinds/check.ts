import { choice, leftOut, nullable, type RecordFacts, text, time, whole, type WithFields } from './fields.js';
import { DAY, MINUTE, SECOND } from './instant.js';
import { namedOrigin } from './provenance.js';

/** The states of checks, services, days and the overall status, sorted from best to worst. */
export const SERVICE_STATES = ['operational', 'unknown', 'maintenance', 'degraded', 'outage'] as const;
export type ServiceState = (typeof SERVICE_STATES)[number];

/** `operational` 0, `unknown` 1, `maintenance` 2, `degraded` 3, `outage` 4. */
export function severityOf(state: ServiceState): number {
  return SERVICE_STATES.indexOf(state);
}

/** The worst of the states; `unknown` if there are none. */
export function worstOf(states: Iterable<ServiceState>): ServiceState {
  let worst = -1;
  for (const state of states) worst = Math.max(worst, severityOf(state));
  return SERVICE_STATES[worst] ?? 'unknown';
}

/** Whether the state counts for uptime: only operational, degraded and outage do. */
export function isRated(state: ServiceState): boolean {
  return state === 'operational' || state === 'degraded' || state === 'outage';
}

export type StateCounts = Readonly<Record<ServiceState, number>>;

/** The `rawState` of a failure that no further attempt has confirmed yet. Its state is `unknown`. */
export const UNCONFIRMED = 'unconfirmed';
export const MAX_RESPONSE_TIME_MS = DAY;
/** The minimum validity of a check that is made on an interval, and the default for an imported check that states none. */
export const MIN_VALIDITY_MS = 15 * MINUTE;
/** The shortest validity that a check may state. */
export const SHORTEST_VALIDITY_MS = 10 * SECOND;
/** The longest validity that a check may state: that of a heartbeat every 31 days, with a day of grace. */
export const MAX_VALIDITY_MS = 32 * DAY;
const MAX_INTERVAL_VALIDITY_MS = DAY;
/** Clocks differ. A check up to this far in the future counts as if it happened now; a later check does not count yet. */
export const CHECK_CLOCK_TOLERANCE_MS = 60 * SECOND;

/** A check that a source makes on an interval is evidence for three intervals, at least 15 minutes and at most a day. */
export function validityOf(intervalMs: number): number {
  return Math.min(MAX_INTERVAL_VALIDITY_MS, Math.max(MIN_VALIDITY_MS, 3 * intervalMs));
}

const fields = {
  serviceKey: text('otherKey', 'The service.', 'acme:widget-api'),
  state: choice(SERVICE_STATES, 'What the check found.', 'operational'),
  /** The state in the provider's own words. */
  rawState: leftOut('derived', text('short', 'The provider’s own word.', '200')),
  checkedAt: time('When it was checked.', '2026-11-20T13:59:00.000Z'),
  /** Whole milliseconds, 0 to 86,400,000. */
  responseTimeMs: nullable(whole('How long the answer took, in milliseconds.', 212, 0, MAX_RESPONSE_TIME_MS)),
  /** How long the check counts as evidence, in milliseconds; see {@link validityOf}. */
  validForMs: leftOut('derived', whole('How long it counts, in milliseconds.', MIN_VALIDITY_MS, SHORTEST_VALIDITY_MS, MAX_VALIDITY_MS)),
  provenance: namedOrigin,
};

/** One stored observation of a service by one source. Its source is `provenance.source`. */
export interface Check extends WithFields<typeof fields> {
  readonly kind: 'check';
}

export const CHECK_FACTS = {
  searched: {},
  sent: [],
  fields,
} as const satisfies RecordFacts<Check>;
