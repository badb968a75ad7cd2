import {
  addressBase,
  incidentAddress,
  configuredOrigin,
  IncidentFolder,
  foundCovers,
  storedDetected,
  type ListedIncident,
  type WrittenIncident,
  type StoredDetected,
} from '@vitrine/collector';
import type { Config } from '@vitrine/config';
import { readConfig } from '@vitrine/collector';
import { formatInstant, INCIDENT_STATES, nearest, quotable, DAY, type IncidentState, type Instant } from '@vitrine/core';
import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { EXIT, UsageError, type CommandContext, type ExitCode } from '../context.js';
import { isDatabaseError } from '@vitrine/http/store';
import { readingStore } from '../stores.js';

export interface NewIncidentOptions {
  readonly impact: string;
  readonly service: readonly string[];
  readonly message: string;
  readonly state: string;
  /** The ids of detected incidents that are the same event. */
  readonly covers: readonly string[];
  /** Also writes keys of services that the configuration does not have. */
  readonly anyway?: boolean | undefined;
}

export interface NewMaintenanceOptions {
  readonly service: readonly string[];
  readonly from: Instant;
  readonly until: Instant;
  readonly message: string;
  readonly anyway?: boolean | undefined;
}

export interface UpdateOptions {
  readonly state: string | null;
  readonly message: string;
}

/** Declares an incident: writes its file into the folder of the source `incidents`. */
export async function openIncident(title: string, options: NewIncidentOptions, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  const { impact, service: services, covers, message } = options;
  requireKnown(services, config, options.anyway);
  return tell(await folder.create({ title, impact, services, covers }, { state: stateNamed(options.state), body: message }), config, context);
}

export async function planMaintenance(title: string, options: NewMaintenanceOptions, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  const { service: services, from, until, message } = options;
  requireKnown(services, config, options.anyway);
  if (until <= context.clock.now()) context.warn('The maintenance is over already: --until is in the past, so it is shown as completed.');
  const plan = { title, services, scheduledFor: from, scheduledUntil: until };
  return tell(await folder.create(plan, { state: 'scheduled', body: message }), config, context);
}

export async function updateIncident(id: string, { state, message }: UpdateOptions, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  const chosen = state === null ? null : stateNamed(state);
  return tell(await folder.update(id, ({ updates }) => chosen ?? updates.at(-1)?.state ?? 'investigating', message), config, context);
}

export async function resolveIncident(id: string, message: string, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  return tell(await folder.update(id, ({ window }) => (window === null ? 'resolved' : 'completed'), message), config, context);
}

/** Prints the unresolved incidents of the folder, and the detected ones of the last days that no file covers; or all of both. Newest first. */
export async function listIncidents({ all, json }: { readonly all: boolean; readonly json: boolean }, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  const { incidents, problems } = await folder.list();
  const shown = incidents.filter(({ isUnresolved }) => all || isUnresolved);
  const covered = incidents.flatMap(({ covers }) => covers);
  const detected = await uncoveredIncidents(config, covered, all, context);
  const rows = [...shown.map(declaredRow), ...detected.map(detectedRow)];
  if (json) context.print(JSON.stringify(rows.map(plain)));
  else for (const row of rows) context.print(lineOf(row));
  if (!json && rows.length === 0) context.print(all ? 'No incidents.' : 'No unresolved incidents.');
  for (const problem of problems) context.warn(problem);
  return problems.length === 0 ? EXIT.fine : EXIT.partly;
}

async function folderOf({ env, clock, signal }: CommandContext): Promise<{ readonly config: Config; readonly folder: IncidentFolder }> {
  const config = await readConfig(env);
  const source = config.sources.find(({ kind }) => kind === 'incidents');
  if (source?.kind !== 'incidents') throw new UsageError(`${config.file} has no folder of incidents. Add "- incidents: incidents" to sources.`);
  return { config, folder: new IncidentFolder({ folder: source.path, clock, signal }) };
}

/** Keys are easily misspelt. Services of status pages and records files are not in the configuration, so `--anyway` accepts every key. */
function requireKnown(services: readonly string[], config: Config, anyway = false): void {
  const known = config.services.map(({ key }) => key);
  const unknown = services.filter((key) => !known.includes(key));
  if (anyway || unknown.length === 0) return;
  const near = unknown.flatMap((key) => nearest(key, known) ?? []);
  const hint = near.length === 0 ? '' : ` Did you mean ${near.join(', ')}?`;
  throw new UsageError(
    `Not in services of ${config.file}: ${unknown.map((key) => quotable(key)).join(', ')}.${hint} Correct the key. If another source brings the service, add --anyway.`,
  );
}

function tell({ id, path, state }: WrittenIncident, config: Config, { print }: CommandContext): ExitCode {
  print(`${path}: written (${state}).`);
  const base = addressBase(config.publicUrl ?? configuredOrigin(config), config);
  print(`Its address, as soon as the folder is collected: ${incidentAddress(base, id)}`);
  return EXIT.fine;
}

function stateNamed(text: string): IncidentState {
  const state = INCIDENT_STATES.find((known) => known === text);
  if (state === undefined) throw new UsageError(`${JSON.stringify(text)} is not a state. Use one of ${INCIDENT_STATES.join(', ')}.`);
  return state;
}

interface Row extends Pick<ListedIncident, 'id' | 'title' | 'state' | 'impact' | 'services' | 'startedAt' | 'updatedAt'> {
  readonly kind: 'declared' | 'maintenance' | 'detected';
}

function declaredRow({ isPlanned, ...incident }: ListedIncident): Row {
  return { ...incident, kind: isPlanned ? 'maintenance' : 'declared' };
}

function detectedRow({ id, name, serviceKey, startedAt, resolvedAt }: StoredDetected): Row {
  const state = resolvedAt === null ? 'investigating' : 'resolved';
  const times = { startedAt, updatedAt: resolvedAt ?? startedAt };
  return { id, title: `Outage of ${name}`, kind: 'detected', state, impact: 'major', services: [serviceKey], ...times };
}

function plain({ id, title, kind, state, impact, services, startedAt, updatedAt }: Row) {
  return { id, title, kind, state, impact, services, startedAt: formatInstant(startedAt), updatedAt: formatInstant(updatedAt) };
}

const LONGEST_TITLE = 1_000;

/** Anybody who can write to the folder chooses the titles, so they may hold characters that control the terminal. */
function lineOf({ id, title, kind, state, impact, services, startedAt, updatedAt }: Row): string {
  const affected = services.length === 0 ? '' : `, ${services.join(' ')}`;
  const [shown, from] = [quotable(title, LONGEST_TITLE), `from ${formatInstant(startedAt)}`];
  if (kind !== 'detected') return `${id}: ${shown} (${state}, ${impact}${affected}, ${from})`;
  const until = state === 'resolved' ? `, until ${formatInstant(updatedAt)}` : '';
  return `${id}: ${shown} (detected, ${state}${affected}, ${from}${until}); to declare it: incident open TITLE --service ${services.join(' ')} --covers ${id}`;
}

/** Older outages are not suggested any more. */
const RECENT_MS = 7 * DAY;

/**
 * The detected incidents that no file of the folder covers: those that last or ended within a week, or all. A store that cannot be read is reported, and gives
 * none; one that does not exist yet gives none.
 *
 * @param covered the ids that the files name
 */
async function uncoveredIncidents(
  config: Config,
  covered: readonly string[],
  all: boolean,
  context: CommandContext,
): Promise<readonly StoredDetected[]> {
  const recentFrom = all ? -Infinity : context.clock.now() - RECENT_MS;
  const { detected, found } = await everyDetected(config, context);
  return detected.filter(({ id, resolvedAt }) => !covered.includes(id) && !found.includes(id) && (resolvedAt ?? Infinity) >= recentFrom);
}

interface Detected {
  readonly detected: readonly StoredDetected[];
  /** The ids of those that files cover without naming them. */
  readonly found: readonly string[];
}

const NONE: Detected = { detected: [], found: [] };

async function everyDetected(config: Config, context: CommandContext): Promise<Detected> {
  const { store, sources } = config;
  if (store.kind === 'embedded' && store.path === null) return NONE;
  const labels = sources.flatMap((source) => (source.kind === 'incidents' ? source.label : []));
  try {
    return await readingStore(config, context, async ({ collection }) => ({
      detected: await storedDetected(collection, context),
      found: (await Promise.all(labels.map((label) => foundCovers(label, collection, context)))).flat(),
    }));
  } catch (error) {
    if (!isStoreError(error)) throw error;
    const isNew = error instanceof StoreFolderError && error.problem === 'missing';
    if (!isNew) context.warn(`Detected incidents are not listed. ${error.message}`);
    return NONE;
  }
}

function isStoreError(error: unknown): error is Error {
  return error instanceof StoreFolderError || isDatabaseError(error);
}
