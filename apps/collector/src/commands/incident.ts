import {
  addressBase,
  DECLARED_IMPACTS,
  incidentAddress,
  configuredOrigin,
  IncidentFolder,
  foundCovers,
  readConfig,
  storedDetected,
} from '@vitrine/collector';
import type { ListedIncident, WrittenIncident, StoredDetected } from '@vitrine/collector';
import type { Config } from '@vitrine/config';
import { DECLARED_STATES, formatInstant, INCIDENT_STATES, nearest, quotable, DAY, type IncidentState, type Instant } from '@vitrine/core';
import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { isDatabaseError } from '@vitrine/http/store';
import { Option } from 'commander';
import { EXIT, repeated, timeOf, under, UsageError, type Add, type CommandContext, type ExitCode, type Run } from '../context.js';
import { readingStore } from '../stores.js';

interface NewOptions {
  readonly service: readonly string[];
  readonly message: string;
  /** Also writes keys of services that the configuration does not have. */
  readonly anyway?: boolean;
}

const ANYWAY = ['--anyway', 'accept keys of services that the configuration does not have'] as const;
const MESSAGE = ['--message <text>', 'what to tell people, as Markdown'] as const;

export function addIncidentCommands(add: Add, context: CommandContext, run: Run): void {
  const one = under(add('incident', 'declare incidents: writes the files of the folder that the source incidents names'));
  one('open <title>', 'declare an incident')
    .addOption(new Option('--impact <impact>', 'how bad it is').choices(DECLARED_IMPACTS).default('major'))
    .addOption(serviceOption())
    .option(...ANYWAY)
    .addOption(new Option('--state <state>', 'its first state').choices(DECLARED_STATES).default('investigating'))
    .addOption(repeated('--covers <id>', 'the id of a detected incident that is the same event'))
    .addOption(messageOption())
    .action(run((title: string, options: NewIncidentOptions) => openIncident(title, options, context)));
  one('update <id>', 'add an update to an incident or to planned maintenance')
    .option('--state <state>', 'its new state; without it, the state stays')
    .requiredOption(...MESSAGE)
    .action(run((id: string, { state, message }: { state?: string; message: string }) => updateIncident(id, state, message, context)));
  one('resolve <id>', 'end an incident or planned maintenance')
    .addOption(messageOption())
    .action(run((id: string, { message }: { message: string }) => resolveIncident(id, message, context)));
  one('list', 'show the unresolved incidents of the folder, and detected ones that no file covers')
    .option('--all', 'show resolved ones too')
    .option('--json', 'print one JSON array')
    .action(run(({ all = false, json = false }: { all?: boolean; json?: boolean }) => listIncidents(all, json, context)));
  const maintenance = under(add('maintenance', 'announce planned maintenance in the same folder'));
  maintenance('plan <title>', 'announce planned maintenance')
    .addOption(timeOption('--from <time>', 'when it begins'))
    .addOption(timeOption('--until <time>', 'when it ends'))
    .addOption(serviceOption())
    .option(...ANYWAY)
    .addOption(messageOption())
    .action(run((title: string, options: NewMaintenanceOptions) => planMaintenance(title, options, context)));
}

function serviceOption(): Option {
  return repeated('--service <key>', 'the key of an affected service');
}

function messageOption(): Option {
  return new Option(...MESSAGE).default('', 'empty');
}

function timeOption(flags: string, description: string): Option {
  return new Option(flags, `${description}, with offset, such as 2026-11-20T22:00:00Z`).makeOptionMandatory().argParser(timeOf);
}

type NewIncidentOptions = NewOptions & Readonly<Record<'impact' | 'state', string>> & { readonly covers: readonly string[] };

async function openIncident(title: string, options: NewIncidentOptions, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  const { impact, service: services, covers, message } = options;
  requireKnown(services, config, options.anyway);
  return tell(await folder.create({ title, impact, services, covers }, { state: stateNamed(options.state), body: message }), config, context);
}

type NewMaintenanceOptions = NewOptions & Readonly<Record<'from' | 'until', Instant>>;

async function planMaintenance(title: string, options: NewMaintenanceOptions, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  const { service: services, from, until, message } = options;
  requireKnown(services, config, options.anyway);
  if (until <= context.clock.now()) context.warn('The maintenance is over already: --until is in the past, so it is shown as completed.');
  const plan = { title, services, scheduledFor: from, scheduledUntil: until };
  return tell(await folder.create(plan, { state: 'scheduled', body: message }), config, context);
}

async function updateIncident(id: string, state: string | undefined, message: string, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  const chosen = state === undefined ? null : stateNamed(state);
  return tell(await folder.update(id, ({ updates }) => chosen ?? updates.at(-1)?.state ?? 'investigating', message), config, context);
}

async function resolveIncident(id: string, message: string, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  return tell(await folder.update(id, ({ window }) => (window === null ? 'resolved' : 'completed'), message), config, context);
}

/** Prints the unresolved incidents of the folder, and the detected ones of the last days that no file covers; or all of both. Newest first. */
async function listIncidents(all: boolean, json: boolean, context: CommandContext): Promise<ExitCode> {
  const { config, folder } = await folderOf(context);
  const { incidents, problems } = await folder.list();
  const shown = incidents.filter(({ isUnresolved }) => all || isUnresolved);
  const detected = await uncoveredIncidents(config, incidents, all, context);
  const rows: readonly Row[] = [...shown, ...detected.map(detectedRow)];
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
  readonly kind: ListedIncident['kind'] | 'detected';
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

/** The detected incidents that no file covers: those that last or ended within a week, or all. None if the store cannot be read, which is reported, or is new. */
async function uncoveredIncidents(
  config: Config,
  files: readonly ListedIncident[],
  all: boolean,
  context: CommandContext,
): Promise<readonly StoredDetected[]> {
  const { store, sources } = config;
  if (store.kind === 'embedded' && store.path === null) return [];
  const recentFrom = all ? -Infinity : context.clock.now() - RECENT_MS;
  const labels = sources.flatMap((source) => (source.kind === 'incidents' ? source.label : []));
  try {
    return await readingStore(config, context, async ({ collection }) => {
      const found = await Promise.all(labels.map((label) => foundCovers(label, collection, context)));
      const covered = new Set([...files.flatMap(({ covers }) => covers), ...found.flat()]);
      const detected = await storedDetected(collection, context);
      return detected.filter(({ id, resolvedAt }) => !covered.has(id) && (resolvedAt ?? Infinity) >= recentFrom);
    });
  } catch (error) {
    if (!(error instanceof StoreFolderError || isDatabaseError(error))) throw error;
    if (error.problem !== 'missing') context.warn(`Detected incidents are not listed. ${error.message}`);
    return [];
  }
}
