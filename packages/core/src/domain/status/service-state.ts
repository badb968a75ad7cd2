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
