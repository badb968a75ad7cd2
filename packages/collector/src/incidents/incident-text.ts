import { formatInstant, type Instant } from '@vitrine/core';
import { stringify } from 'yaml';
import type { WrittenUpdate } from './incident-updates.js';

/** What the commands write into a new file. Absent keys are left out. */
export interface NewIncident {
  readonly title: string;
  readonly impact?: string;
  readonly services: readonly string[];
  /** The ids of detected incidents that are the same event. */
  readonly covers?: readonly string[];
  readonly scheduledFor?: Instant;
  readonly scheduledUntil?: Instant;
  readonly update: WrittenUpdate;
}

/** The text of a new file of the incidents folder. */
export function incidentMarkdown({ title, impact, services, covers = [], scheduledFor, scheduledUntil, update }: NewIncident): string {
  const keys = {
    title,
    ...(impact !== undefined && { impact }),
    ...(scheduledFor !== undefined && { scheduledFor: timeText(scheduledFor) }),
    ...(scheduledUntil !== undefined && { scheduledUntil: timeText(scheduledUntil) }),
    ...(services.length > 0 && { services }),
    ...(covers.length > 0 && { covers }),
  };
  return `---\n${stringify(keys)}---\n${updateMarkdown(update)}`;
}

/** The text of a file with one more update at its end. */
export function withUpdate(text: string, update: WrittenUpdate): string {
  return `${text.trimEnd()}\n${updateMarkdown(update)}`;
}

/** The name of a new file, without `.md`: the date, and words of the title. */
export function fileNameFor(title: string, at: Instant): string {
  const words = title
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join('-').slice(0, LONGEST_SLUG).replace(/-$/, '');
  return `${timeText(at).slice(0, 'YYYY-MM-DD'.length)}${slug === '' ? '' : `-${slug}`}`;
}

const LONGEST_SLUG = 60;

function updateMarkdown({ state, createdAt, body }: WrittenUpdate): string {
  return `\n## ${timeText(createdAt)} ${state}\n${body === '' ? '' : `\n${body}\n`}`;
}

/** Seconds are exact enough for people. */
function timeText(instant: Instant): string {
  return formatInstant(instant).replace(/\.\d{3}Z$/, 'Z');
}
