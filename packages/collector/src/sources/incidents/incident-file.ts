import type { Config } from '@vitrine/config';
import { list, object, oneOf, pathText, type Problem, problemsOf, serviceKey, slug } from '@vitrine/config/internal';
import { formatInstant, DECLARED_STATES, INCIDENT_IMPACTS, MAINTENANCE_STATES, SERVICE_STATES, parseDateTime } from '@vitrine/core';
import type { Incident, Instant, ServiceState, IncidentState } from '@vitrine/core';
import { stringify } from 'yaml';
import { z } from 'zod';
import { readFrontMatter } from '../documents/front-matter.js';
import { instant, publicIdText, title, url } from '../records/record-fields.js';

/** The public address of an incident. @param base see `addressBase` */
export function incidentAddress(base: string, id: string): string {
  return `${base}/status/incidents/${encodeURIComponent(id)}`;
}

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

export function incidentMarkdown({ title, impact, services, covers = [], scheduledFor, scheduledUntil, update }: NewIncident): string {
  const keys = {
    title,
    ...(impact !== undefined && { impact }),
    ...(scheduledFor !== undefined && { scheduledFor: timeText(scheduledFor) }),
    ...(scheduledUntil !== undefined && { scheduledUntil: timeText(scheduledUntil) }),
    ...(services.length > 0 && { services: [...new Set(services)] }),
    ...(covers.length > 0 && { covers }),
  };
  return `---\n${stringify(keys)}---\n${updateMarkdown(update)}`;
}

export function withUpdate(text: string, update: WrittenUpdate): string {
  return `${text.trimEnd()}\n${updateMarkdown(update)}`;
}

/** The name of a new file, without `.md`: the date, and words of the title. */
export function fileNameFor(title: string, at: Instant): string {
  const words = slug(title.normalize('NFKD').replace(/\p{M}+/gu, ''), LONGEST_SLUG);
  return `${timeText(at).slice(0, 'YYYY-MM-DD'.length)}${words === '' ? '' : `-${words}`}`;
}

const LONGEST_SLUG = 60;

function updateMarkdown({ state, createdAt, body }: WrittenUpdate): string {
  return `\n## ${timeText(createdAt)} ${state}\n${body === '' ? '' : `\n${body}\n`}`;
}

/** Seconds are exact enough for people. */
function timeText(instant: Instant): string {
  return formatInstant(instant).replace(/\.\d{3}Z$/, 'Z');
}

export interface IncidentFile {
  readonly title: string;
  readonly impact: Incident['impact'];
  /** `null`: the state that follows from the impact. */
  readonly services: readonly { readonly key: string; readonly state: ServiceState | null }[];
  readonly startedAt: Instant | null;
  readonly window: { readonly from: Instant; readonly until: Instant } | null;
  readonly url: string | null;
  /** The ids of detected incidents that are the same event, besides those that Vitrine finds; an empty list: none. `null`: only those that Vitrine finds. */
  readonly covers: readonly string[] | null;
  readonly updates: readonly [WrittenUpdate, ...WrittenUpdate[]];
}

export const DECLARED_IMPACTS = INCIDENT_IMPACTS.filter((impact) => impact !== 'maintenance');

const MOST_SERVICES = 200;
const MOST_COVERED = 200;

const service = z.preprocess(
  (value) => (typeof value === 'string' ? { key: value } : value),
  object('the key of a service, or an object with key and state', { key: serviceKey, state: oneOf(SERVICE_STATES).exactOptional() }),
);

const shape = {
  title,
  services: list('a list of service keys such as [acme:web], or remove the key', service, MOST_SERVICES).default([]),
  url: url.exactOptional(),
  covers: list('a list of ids of detected incidents, or remove the key', publicIdText, MOST_COVERED).exactOptional(),
};

const declared = object('title, impact and services', {
  ...shape,
  impact: oneOf(DECLARED_IMPACTS),
  startedAt: instant.exactOptional(),
});

const maintenance = object('title, scheduledFor, scheduledUntil and services', { ...shape, scheduledFor: instant, scheduledUntil: instant });

export interface ReadIncident {
  /** `null` if there are problems. */
  readonly file: IncidentFile | null;
  readonly problems: readonly string[];
}

const NO_FRONT_MATTER = 'has no front matter; begin the file with a line ---, YAML keys such as title, and another line ---';

export function readIncidentFile(text: string): ReadIncident {
  const parts = readFrontMatter(text);
  if (typeof parts === 'string') return { file: null, problems: [parts] };
  const { data } = parts;
  if (data === undefined) return { file: null, problems: [NO_FRONT_MATTER] };
  const isPlanned = hasWindow(data);
  const { updates, problems } = readUpdates(parts.body, parts.bodyLine, isPlanned ? MAINTENANCE_STATES : DECLARED_STATES);
  const fields = readFields(data, isPlanned);
  const [first, ...later] = updates;
  if ('title' in fields && problems.length === 0 && first !== undefined) return { file: { ...fields, updates: [first, ...later] }, problems: [] };
  return { file: null, problems: [...('title' in fields ? [] : fields), ...problems] };
}

function hasWindow(data: unknown): boolean {
  return typeof data === 'object' && data !== null && ('scheduledFor' in data || 'scheduledUntil' in data);
}

type Fields = Omit<IncidentFile, 'updates'>;

function readFields(data: unknown, isPlanned: boolean): Fields | readonly string[] {
  const result = (isPlanned ? maintenance : declared).safeParse(data);
  if (!result.success) return messagesOf(problemsOf(result.error.issues, data));
  const { title: text, services, url: address = null, covers = null, ...own } = result.data;
  // One that is written twice is one service, with its last state.
  const affected = new Map(services.map(({ key, state = null }) => [key, { key, state }]));
  const shared = { title: text, services: [...affected.values()], url: address, covers };
  if ('impact' in own) return { ...shared, impact: own.impact, startedAt: own.startedAt ?? null, window: null };
  const { scheduledFor: from, scheduledUntil: until } = own;
  if (until <= from) return messagesOf([{ path: ['scheduledUntil'], message: 'is not later than scheduledFor; write a later time' }]);
  return { ...shared, impact: 'maintenance', startedAt: null, window: { from, until } };
}

function messagesOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ path, message }) => (path.length === 0 ? message : `${pathText(path)}: ${message}`));
}

/** The prefix of the addresses of records: of the pages, or of the API if the pages are off. @param origin the address of a server, without a final slash */
export function addressBase(origin: string, { site }: Pick<Config, 'site'>): string {
  return site === null ? `${origin}/api/v1` : origin;
}

export interface WrittenUpdate {
  readonly state: IncidentState;
  readonly createdAt: Instant;
  readonly body: string;
}

/** A heading that begins with a date is meant as an update. Other headings are part of the text. */
const MEANT = /^##\s+\d{4}-/;
const HEADING = /^##\s+(\S+)\s+([a-z_]+)$/;

/** The updates of a file's body, oldest first, and messages about invalid headings. @param firstLine the line of the file on which the body begins */
function readUpdates(body: string, firstLine: number, states: readonly IncidentState[]) {
  const sections: { heading: string; line: number; text: string[] }[] = [];
  const problems: string[] = [];
  for (const [index, line] of body.split('\n').entries()) {
    const section = sections.at(-1);
    if (MEANT.test(line)) sections.push({ heading: line.trimEnd(), line: firstLine + index, text: [] });
    else if (section !== undefined) section.text.push(line);
    else if (line.trim() !== '') problems.push(`line ${String(firstLine + index)}: text stands before the first update; write ${FORM} above it`);
  }
  const updates = sections.flatMap(({ heading, line, text }): WrittenUpdate[] => {
    const update = readHeading(heading, states);
    if (typeof update !== 'string') return [{ ...update, body: text.join('\n').trim() }];
    problems.push(`line ${String(line)}: ${update}`);
    return [];
  });
  if (sections.length === 0) problems.push(`has no update; write ${FORM}, and its text below`);
  return { updates, problems: [...problems.slice(0, MOST_PROBLEMS), ...orderProblems(updates)] };
}

const MOST_PROBLEMS = 10;
const FORM = 'a heading such as "## 2026-11-20T13:41:00Z investigating"';

function readHeading(heading: string, states: readonly IncidentState[]): Omit<WrittenUpdate, 'body'> | string {
  const [, time, word] = HEADING.exec(heading) ?? [];
  if (time === undefined) return `the heading of an update needs a date and time with offset, and a state; write ${FORM}`;
  const createdAt = parseDateTime(time);
  if (createdAt === null) return `${JSON.stringify(time)} is not a date and time with offset, or does not exist; write ${FORM}`;
  const state = states.find((known) => known === word);
  if (state !== undefined) return { state, createdAt };
  return `${JSON.stringify(word)} is not a state here; write one of ${states.join(', ')}`;
}

function orderProblems(updates: readonly WrittenUpdate[]): readonly string[] {
  const isSorted = updates.every(({ createdAt }, index) => createdAt >= (updates[index - 1]?.createdAt ?? -Infinity));
  return isSorted ? [] : ['its updates are not in the order of their times; put the oldest first'];
}

/**
 * What a file says at a time. Planned maintenance begins and ends at its times, so that nobody has to write these updates at night, unless the newest update has another
 * state than `scheduled`: the person who wrote it also writes when the maintenance ends.
 */
export function fileAt(file: IncidentFile, now: Instant): IncidentFile {
  const [first, ...later] = file.updates;
  const newest = later.at(-1) ?? first;
  if (file.window === null || newest.state !== 'scheduled' || newest.createdAt > now) return file;
  const { from, until } = file.window;
  const steps = [
    ['in_progress', from],
    ['completed', until],
  ] as const;
  const due = steps.filter(([, at]) => at <= now);
  const added = due.map(([state, at]): WrittenUpdate => ({ state, createdAt: Math.max(at, newest.createdAt), body: '' }));
  return { ...file, updates: [first, ...later, ...added] };
}
