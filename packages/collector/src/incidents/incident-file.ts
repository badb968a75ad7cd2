import { leaf, list, object, pathText, problemsOf, Refusal, type Problem } from '@vitrine/config/internal';
import { INCIDENT_IMPACTS, SERVICE_STATES, type Instant, type Incident, type ServiceState } from '@vitrine/core';
import { z } from 'zod';
import { instant, oneOf, publicIdText, serviceKey, title, url } from '../records/record-fields.js';
import { readFrontMatter } from './front-matter.js';
import { DECLARED_STATES, MAINTENANCE_STATES, readUpdates, type WrittenUpdate } from './incident-updates.js';

/** What a file of the incidents folder says. */
export interface IncidentFile {
  readonly title: string;
  readonly impact: Incident['impact'];
  /** `null`: the state that follows from the impact. */
  readonly services: readonly { readonly key: string; readonly state: ServiceState | null }[];
  readonly startedAt: Instant | null;
  /** Of planned maintenance; `null` for an incident. */
  readonly window: { readonly from: Instant; readonly until: Instant } | null;
  readonly url: string | null;
  /** The ids of detected incidents that are the same event, besides those that Vitrine finds; an empty list: none. `null`: only those that Vitrine finds. */
  readonly covers: readonly string[] | null;
  /** Oldest first. */
  readonly updates: readonly [WrittenUpdate, ...WrittenUpdate[]];
}

/** The impacts that people choose. That of planned maintenance is always `maintenance`. */
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
  impact: leaf(
    `one of ${DECLARED_IMPACTS.join(', ')}`,
    (value) => DECLARED_IMPACTS.find((known) => known === value) ?? new Refusal('is not an impact'),
  ),
  startedAt: instant.exactOptional(),
});

const maintenance = object('title, scheduledFor, scheduledUntil and services', { ...shape, scheduledFor: instant, scheduledUntil: instant });

/** The result of reading a file: its content, or one message for each problem. */
export type ReadIncident =
  | { readonly file: IncidentFile; readonly problems: readonly [] }
  | { readonly file: null; readonly problems: readonly string[] };

/** Reads a file of the incidents folder. */
export function readIncidentFile(text: string): ReadIncident {
  const parts = readFrontMatter(text);
  if (typeof parts === 'string') return { file: null, problems: [parts] };
  const { data } = parts;
  const isPlanned = hasWindow(data);
  const { updates, problems } = readUpdates(parts.body, parts.bodyLine, isPlanned ? MAINTENANCE_STATES : DECLARED_STATES);
  const { fields, problems: wrong } = isPlanned ? maintenanceFields(data) : declaredFields(data);
  const [first, ...later] = updates;
  if (fields === null || problems.length > 0 || first === undefined) return { file: null, problems: [...wrong, ...problems] };
  return { file: { ...fields, updates: [first, ...later] }, problems: [] };
}

function hasWindow(data: unknown): boolean {
  return typeof data === 'object' && data !== null && ('scheduledFor' in data || 'scheduledUntil' in data);
}

type Fields = Omit<IncidentFile, 'updates'>;
type ReadFields = { readonly fields: Fields | null; readonly problems: readonly string[] };

function declaredFields(data: unknown): ReadFields {
  const result = declared.safeParse(data);
  if (!result.success) return invalid(problemsOf(result.error.issues, data));
  const { title: text, impact, startedAt = null } = result.data;
  return { fields: { title: text, impact, startedAt, window: null, ...sharedOf(result.data) }, problems: [] };
}

function maintenanceFields(data: unknown): ReadFields {
  const result = maintenance.safeParse(data);
  if (!result.success) return invalid(problemsOf(result.error.issues, data));
  const { title: text, scheduledFor: from, scheduledUntil: until } = result.data;
  if (until <= from) return invalid([{ path: ['scheduledUntil'], message: 'is not later than scheduledFor; write a later time' }]);
  return { fields: { title: text, impact: 'maintenance', startedAt: null, window: { from, until }, ...sharedOf(result.data) }, problems: [] };
}

type Shared = 'services' | 'url' | 'covers';

function sharedOf({ services, url: address, covers }: Pick<z.output<typeof declared>, Shared>): Pick<Fields, Shared> {
  return { services: services.map(({ key, state = null }) => ({ key, state })), url: address ?? null, covers: covers ?? null };
}

function invalid(problems: readonly Problem[]): ReadFields {
  return { fields: null, problems: problems.map(({ path, message }) => (path.length === 0 ? message : `${pathText(path)}: ${message}`)) };
}
