import { createRequire } from 'node:module';
import { UPTIME_WINDOW_DAYS, type ActivityDay, type ReleaseSummary, type ServiceState, type ServiceStatus } from '@vitrine/core';
import { plainLine } from './plain-text.js';

const require = createRequire(import.meta.url);

/** How a badge may look. */
export const BADGE_STYLES = ['flat', 'flat-square', 'plastic', 'for-the-badge'] as const;
export type BadgeStyle = (typeof BADGE_STYLES)[number];

/** Colours by their names at shields.io. */
const COLORS = {
  operational: 'brightgreen',
  degraded: 'yellow',
  outage: 'red',
  maintenance: 'blue',
  unknown: 'lightgrey',
} as const satisfies Readonly<Record<ServiceState, string>>;

/** What a badge says. Its label is one of a few fixed texts. */
export interface Badge {
  readonly label: string;
  readonly message: string;
  readonly color: (typeof COLORS)[ServiceState];
}

/** Longer messages, such as long tags, are cut: a badge is as wide as its text. */
const MAX_MESSAGE = 40;
const UNKNOWN = 'unknown';

/** A badge as an SVG image. Its title, for screen readers, is `label: message`. */
export function badgeSvg({ label, message, color }: Badge, style: BadgeStyle = 'flat'): string {
  // Loaded when it is first needed, because that takes time and memory, and many servers are never asked for badges.
  const { makeBadge } = require('badge-maker') as typeof import('badge-maker');
  return makeBadge({ label, message: shortened(message), color, style });
}

/** A badge as JSON for the endpoint badge of shields.io (its schema version 1). */
export function badgeJson({ label, message, color }: Badge, style: BadgeStyle = 'flat'): string {
  return JSON.stringify({ schemaVersion: 1, label, message: shortened(message), color, style });
}

function shortened(message: string): string {
  const characters = [...plainLine(message, UNKNOWN)];
  return characters.length <= MAX_MESSAGE ? characters.join('') : `${characters.slice(0, MAX_MESSAGE - 1).join('')}…`;
}

/** The overall state of all services. */
export function statusBadge(state: ServiceState): Badge {
  return { label: 'status', message: state, color: COLORS[state] };
}

export function stateBadge({ currentState }: Pick<ServiceStatus, 'currentState'>): Badge {
  return { ...statusBadge(currentState), label: 'state' };
}

/** The uptime as the API prints it. Its colour rates nothing: how much uptime is enough differs between services. */
export function uptimeBadge({ uptimePercent }: Pick<ServiceStatus, 'uptimePercent'>): Badge {
  return figureBadge(`uptime ${String(UPTIME_WINDOW_DAYS)} d`, uptimePercent === null ? null : `${String(uptimePercent)}%`);
}

/** The time in which half of the checks were answered. */
export function responseBadge({ responseTimeMs }: Pick<ServiceStatus, 'responseTimeMs'>): Badge {
  return figureBadge('response p50', responseTimeMs === null ? null : `${String(responseTimeMs.p50)} ms`);
}

export function releaseBadge(latest: Pick<ReleaseSummary, 'tagName'> | null): Badge {
  return figureBadge('release', latest === null ? null : latest.tagName);
}

const ACTIVITY_DAYS = 30;

/** The commits of the last 30 UTC days, the present one included. @param days oldest first, every day listed */
export function activityBadge(days: readonly Pick<ActivityDay, 'commits'>[]): Badge {
  const last = days.slice(-ACTIVITY_DAYS);
  const sum = last.reduce((total, { commits }) => total + commits, 0);
  return figureBadge(`commits ${String(ACTIVITY_DAYS)} d`, last.length === 0 ? null : String(sum));
}

/** Without a value it is grey, and never a number. */
function figureBadge(label: string, value: string | null): Badge {
  return value === null ? { label, message: UNKNOWN, color: 'lightgrey' } : { label, message: value, color: 'blue' };
}
