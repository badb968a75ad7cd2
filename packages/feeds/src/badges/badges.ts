import { UPTIME_WINDOW_DAYS, type ActivityDay, type ReleaseSummary, type ServiceState, type ServiceStatus } from '@vitrine/core';
import { UNKNOWN, unknownBadge, type Badge } from './badge.js';

const COLORS = {
  operational: 'brightgreen',
  degraded: 'yellow',
  outage: 'red',
  maintenance: 'blue',
  unknown: 'lightgrey',
} as const satisfies Readonly<Record<ServiceState, Badge['color']>>;

/** The overall state of all services. */
export function statusBadge(state: ServiceState): Badge {
  return { label: 'status', message: state === 'unknown' ? UNKNOWN : state, color: COLORS[state] };
}

/** The current state of a service. */
export function stateBadge({ currentState }: Pick<ServiceStatus, 'currentState'>): Badge {
  return { ...statusBadge(currentState), label: 'state' };
}

const UPTIME_LABEL = `uptime ${String(UPTIME_WINDOW_DAYS)} d`;

/** The uptime as the API prints it. Its colour rates nothing: how much uptime is enough differs between services. */
export function uptimeBadge({ uptimePercent }: Pick<ServiceStatus, 'uptimePercent'>): Badge {
  return uptimePercent === null ? unknownBadge(UPTIME_LABEL) : { label: UPTIME_LABEL, message: `${String(uptimePercent)}%`, color: 'blue' };
}

/** The time in which half of the checks were answered. */
export function responseBadge({ responseTimeMs }: Pick<ServiceStatus, 'responseTimeMs'>): Badge {
  const label = 'response p50';
  return responseTimeMs === null ? unknownBadge(label) : { label, message: `${String(responseTimeMs.p50)} ms`, color: 'blue' };
}

/** The tag of the latest release of a repository. */
export function releaseBadge(latest: Pick<ReleaseSummary, 'tagName'> | null): Badge {
  return latest === null ? unknownBadge('release') : { label: 'release', message: latest.tagName, color: 'blue' };
}

/** How many days the activity badge counts. */
const ACTIVITY_DAYS = 30;

/** The commits of the last 30 UTC days, the present one included. @param days oldest first, every day listed */
export function activityBadge(days: readonly Pick<ActivityDay, 'commits'>[]): Badge {
  const label = `commits ${String(ACTIVITY_DAYS)} d`;
  const last = days.slice(-ACTIVITY_DAYS);
  if (last.length === 0) return unknownBadge(label);
  return { label, message: String(last.reduce((sum, { commits }) => sum + commits, 0)), color: 'blue' };
}
