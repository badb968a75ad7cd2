import { StoreFolderError } from '@vitrine/adapters-sqlite';
import {
  askToRun,
  describeRun,
  requestsSocket,
  possibleSources,
  runNotesOf,
  Scheduler,
  boundSources,
  chosenOf,
  isLeftToOthers,
  ConfiguredSources,
  NOTHING_STORED,
  type RunOutcome,
  type SchedulerOptions,
  type Source,
  type RunNotes,
  type SourcesOptions,
} from '@vitrine/collector';
import { cacheFolder, readConfig, type Config } from '@vitrine/config';
import { CONFIGURATION } from '@vitrine/core';
import { requireSources, withApproval, type Approval } from '../run-sources.js';
import { EXIT, messageOf, type StoreContext, type ExitCode } from '../context.js';
import { collectingStore, type WrittenStore } from '../stores.js';
import { collectOnSchedule } from './collect-on-schedule.js';

export interface CollectOptions {
  /** Whether sources run on their intervals until the command is stopped. */
  readonly watch: boolean;
  /** The names of the sources that run; all if there are none. */
  readonly names: readonly string[];
}

/** Runs the sources of the configuration once, or on their intervals. Heartbeats are received only in the second case. Rejects with a `UsageError` if a name is unknown. */
export async function collect({ watch, names }: CollectOptions, context: StoreContext): Promise<ExitCode> {
  const config = await readConfig(context.env);
  const { env, clock, warn } = context;
  const possible = possibleSources(config, { folder: cacheFolder(config, env), origin: null, environment: env, clock });
  requireSources(names, possible, config);
  for (const warning of config.warnings) warn(warning);
  if (watch) return collectOnSchedule(config, names, context);
  return (await collectThere(config, names, context)) ?? collectHere({ config, names, possible }, context);
}

/** Has the process that collects with this configuration run the named sources. `null` if there is none on this machine. */
async function collectThere(config: Config, names: readonly string[], { env, signal, waitMs, print, warn }: StoreContext): Promise<ExitCode | null> {
  const path = requestsSocket(config, env);
  if (names.length === 0 || path === null) return null;
  const onLine = (line: string, isProblem: boolean): void => {
    (isProblem ? warn : print)(line);
  };
  const isFine = await askToRun(path, names, { signal, patienceMs: waitMs, onLine });
  if (isFine === null) return null;
  return isFine && config.warnings.length === 0 ? EXIT.fine : EXIT.partly;
}

async function collectHere({ config, names, possible }: Omit<Once, 'approval'>, context: StoreContext): Promise<ExitCode> {
  return collectingStore(config, context, (store) =>
    withApproval(
      () => config,
      store,
      context,
      (approval) => collectOnce(store, { config, names, possible, approval }, context),
    ),
  );
}

interface Once {
  readonly config: Config;
  readonly names: readonly string[];
  /** Every source that the configuration could have. */
  readonly possible: readonly Source[];
  readonly approval: Approval;
}

async function collectOnce(store: WrittenStore, { config, names, possible, approval }: Once, context: StoreContext): Promise<ExitCode> {
  const { writer, collection, signal } = store;
  const { env, clock } = context;
  const notes = runNotesOf(config, env);
  const approved = () => approval.permission.current();
  const options = { folder: cacheFolder(config, env), origin: null, environment: env, clock, approved };
  const listed = await listOwners({ config, names, options, approval, notes }, store, context);
  const sources = chosenOf(names, listed.sources);
  // Without names, sources that are missing have left the configuration.
  const known = names.length === 0 ? sources : possible;
  const failures: StoreFolderError[] = [];
  const scheduler: Scheduler = new Scheduler({
    writer,
    collection,
    clock,
    approved,
    candidates: () => approval.permission.candidates(),
    configuration: config.file,
    notes,
    isForeign: (id) => listed.isList(id) || isLeftToOthers(id, known, sources, config),
    ...reporting(sources, context, (unwritable) => {
      // If the store cannot be used, every other source would fail too.
      failures.push(unwritable);
      void scheduler.stop();
    }),
  });
  signal.addEventListener('abort', () => void scheduler.stop(), { once: true });
  const outcomes = await scheduler.runOnce(sources);
  await notes?.settled();
  const [unwritable] = failures;
  if (unwritable !== undefined) throw unwritable;
  return config.warnings.length === 0 && listed.isFine && areFine(outcomes, sources) ? EXIT.fine : EXIT.partly;
}

/** Says what each source does. @param onUnwritable called instead if the store cannot be used */
function reporting(
  sources: readonly Source[],
  { print, warn, progress }: StoreContext,
  onUnwritable: (error: StoreFolderError) => void,
): Required<Pick<SchedulerOptions, 'onProgress' | 'onReport' | 'onError'>> {
  return {
    onProgress: (source, done, what, total) => {
      progress.count(`${source.id} (source ${String(sources.indexOf(source) + 1)} of ${String(sources.length)})`, { done, what, total });
    },
    onError: (source, error) => {
      if (error instanceof StoreFolderError) onUnwritable(error);
      else warn(`${source.id}: ${messageOf(error)}`);
    },
    onReport: (source, report) => {
      for (const warning of report.warnings) warn(warning);
      print(`${source.id}: ${describeRun(report)}`);
    },
  };
}

/** Whether every source that can be run once was run, and left nothing out. */
function areFine(outcomes: readonly RunOutcome[], sources: readonly Source[]): boolean {
  const once = sources.filter(({ receiver }) => receiver === undefined);
  return outcomes.length === once.length && outcomes.every(({ report }) => report?.warnings.length === 0);
}

export interface ListOwnersOptions {
  readonly config: Config;
  /** The names of the sources that run; all if there are none. */
  readonly names: readonly string[];
  readonly options: SourcesOptions;
  readonly approval: Approval;
  readonly notes: RunNotes | null;
}

/** What is left to collect when the lists of owners are up to date. */
export interface OwnersListed {
  /** The sources that are left, whether they are chosen or not. */
  readonly sources: readonly Source[];
  /** Whether an id is that of a list. */
  readonly isList: (id: string) => boolean;
  /** Whether each chosen list was read, and each source has its repository. */
  readonly isFine: boolean;
}

/** Reads those of the lists of owners that are chosen, before everything else, because they decide which other sources there are. */
async function listOwners(
  { config, names, options, approval: { stored }, notes }: ListOwnersOptions,
  store: WrittenStore,
  context: StoreContext,
): Promise<OwnersListed> {
  const made = new ConfiguredSources(config, options);
  const lists = made.of(config).filter(({ registration }) => registration?.sourceType === CONFIGURATION);
  const areRead = await runLists(chosenOf(names, lists), { config, notes }, store, context);
  // The first call may join a read that began before the lists were stored.
  await stored.poll();
  await stored.poll();
  const now = stored.current() ?? NOTHING_STORED;
  const { skipped } = boundSources(config, now);
  for (const warning of skipped) context.warn(warning);
  return {
    sources: made.of(config, now).filter((source) => !lists.includes(source)),
    isList: (id) => lists.some(({ registration }) => registration?.id === id),
    isFine: areRead && skipped.length === 0,
  };
}

type Run = Pick<ListOwnersOptions, 'config' | 'notes'>;

async function runLists(
  lists: readonly Source[],
  { config, notes }: Run,
  store: WrittenStore,
  { clock, print, warn }: StoreContext,
): Promise<boolean> {
  if (lists.length === 0) return true;
  const { writer, collection, signal } = store;
  const scheduler = new Scheduler({
    writer,
    collection,
    clock,
    configuration: config.file,
    notes,
    // These are a part of the sources, and the others have not left the configuration.
    isForeign: () => true,
    onError: (source, error) => {
      warn(`${source.id}: ${messageOf(error)}`);
    },
    onReport: (source, report) => {
      for (const warning of report.warnings) warn(warning);
      for (const notice of report.notices ?? []) print(`${source.id}: ${notice}`);
      print(`${source.id}: ${describeRun(report)}`);
    },
  });
  signal.addEventListener('abort', () => void scheduler.stop(), { once: true });
  const outcomes = await scheduler.runOnce(lists);
  return outcomes.every(({ report }) => report?.warnings.length === 0);
}
