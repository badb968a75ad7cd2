import { StoreFolderError } from '@vitrine/adapters-sqlite';
import {
  askToRun,
  describeRun,
  requestsSocket,
  runNotesOf,
  Scheduler,
  boundSources,
  chosenOf,
  isLeftToOthers,
  ConfiguredSources,
  NOTHING_STORED,
  type CurrentApproval,
  type Source,
  type RunNotes,
} from '@vitrine/collector';
import { cacheFolder, type Config } from '@vitrine/config';
import { readConfig } from '@vitrine/collector';
import { CONFIGURATION } from '@vitrine/core';
import { requireSources, withApproval, type Approval } from '../run-sources.js';
import { EXIT, messageOf, type StoreContext, type ExitCode } from '../context.js';
import { collectingStore, type WrittenStore } from '../stores.js';
import { collectOnSchedule } from './collect-on-schedule.js';

export interface CollectOptions {
  /** Whether sources run on their intervals until the command is stopped. */
  readonly watch: boolean;
  readonly names: readonly string[];
}

/** Runs the sources of the configuration once, or on their intervals. Heartbeats are received only in the second case. Rejects with a `UsageError` if a name is unknown. */
export async function collect({ watch, names }: CollectOptions, context: StoreContext): Promise<ExitCode> {
  const config = await readConfig(context.env);
  const { env, clock, warn } = context;
  const possible = new ConfiguredSources(config, { folder: cacheFolder(config, env), origin: null, environment: env, clock }).possible(config);
  requireSources(names, possible, config);
  for (const warning of config.warnings) warn(warning);
  if (watch) return collectOnSchedule(config, names, { ...context, print: context.log });
  return (await collectThere(config, names, context)) ?? collectHere({ config, names, possible }, context);
}

/** Has the process that collects with this configuration run the named sources. `null` if there is none on this machine. */
async function collectThere(config: Config, names: readonly string[], { env, signal, waitMs, print, warn }: StoreContext): Promise<ExitCode | null> {
  const path = requestsSocket(config, env);
  if (names.length === 0 || path === null) return null;
  const onLine = (line: string, isProblem: boolean): void => (isProblem ? warn : print)(line);
  const isFine = await askToRun(path, names, { signal, patienceMs: waitMs, onLine });
  if (isFine === null) return null;
  return isFine && config.warnings.length === 0 ? EXIT.fine : EXIT.partly;
}

async function collectHere(once: Omit<Once, 'approval' | 'store'>, context: StoreContext): Promise<ExitCode> {
  const { config } = once;
  return collectingStore(config, context, (store) =>
    withApproval(
      () => config,
      store,
      context,
      (approval) => collectOnce({ ...once, approval, store }, context),
    ),
  );
}

interface Once {
  readonly config: Config;
  readonly names: readonly string[];
  /** Every source that the configuration could have. */
  readonly possible: readonly Source[];
  readonly approval: Approval;
  readonly store: WrittenStore;
}

/** Reads the chosen lists of owners before everything else, because they decide which other sources there are. */
async function collectOnce({ config, names, possible, approval: { permission, stored }, store }: Once, context: StoreContext): Promise<ExitCode> {
  const { env, clock, warn } = context;
  const options = { folder: cacheFolder(config, env), origin: null, environment: env, clock, approved: () => permission.current() };
  const made = new ConfiguredSources(config, options);
  const lists = made.of(config).filter(({ registration }) => registration?.sourceType === CONFIGURATION);
  const runs = new Runs({ config, permission, store }, context);
  const listed = await runs.of(chosenOf(names, lists), () => true);
  // The first call may join a read that began before the lists were stored.
  await stored.poll();
  await stored.poll();
  const now = stored.current() ?? NOTHING_STORED;
  const { skipped } = boundSources(config, now);
  for (const warning of skipped) warn(warning);
  const sources = chosenOf(names, made.of(config, now)).filter((source) => !lists.includes(source));
  // Without names, sources that are missing have left the configuration.
  const known = names.length === 0 ? sources : possible;
  const isList = (id: string): boolean => lists.some(({ registration }) => registration?.id === id);
  const rest = await runs.of(sources, (id) => isList(id) || isLeftToOthers(id, known, sources, config));
  await runs.end();
  return config.warnings.length + skipped.length === 0 && listed && rest ? EXIT.fine : EXIT.partly;
}

class Runs {
  readonly #scheduler: Scheduler;
  readonly #notes: RunNotes | null;
  #sources: readonly Source[] = [];
  #isForeign: (id: string) => boolean = () => true;
  #unwritable: StoreFolderError | null = null;

  constructor(
    { config, permission, store }: { readonly config: Config; readonly permission: CurrentApproval; readonly store: WrittenStore },
    context: StoreContext,
  ) {
    const { env, clock, print, warn, progress } = context;
    const { writer, collection, signal } = store;
    this.#notes = runNotesOf(config, env);
    this.#scheduler = new Scheduler({
      ...{ writer, collection, clock, configuration: config.file, notes: this.#notes },
      approved: () => permission.current(),
      candidates: () => permission.candidates(),
      isForeign: (id) => this.#isForeign(id),
      onProgress: (source, done, what, total) => {
        const place = `source ${String(this.#sources.indexOf(source) + 1)} of ${String(this.#sources.length)}`;
        progress.count(`${source.id} (${place})`, { done, what, total });
      },
      onReport: (source, report) => {
        for (const warning of report.warnings) warn(warning);
        for (const notice of report.notices ?? []) print(`${source.id}: ${notice}`);
        print(`${source.id}: ${describeRun(report)}`);
      },
      onError: (source, error) => {
        if (!(error instanceof StoreFolderError)) {
          warn(`${source.id}: ${messageOf(error)}`);
          return;
        }
        // If the store cannot be used, every other source would fail too.
        this.#unwritable ??= error;
        void this.#scheduler.stop();
      },
    });
    signal.addEventListener('abort', () => void this.#scheduler.stop(), { once: true });
  }

  /** @returns whether every source that can be run once was run, and left nothing out @param isForeign sources with such an id have not left the configuration */
  async of(sources: readonly Source[], isForeign: (id: string) => boolean): Promise<boolean> {
    [this.#sources, this.#isForeign] = [sources, isForeign];
    const outcomes = await this.#scheduler.runOnce(sources);
    if (this.#unwritable !== null) throw this.#unwritable;
    const once = sources.filter(({ receiver }) => receiver === undefined);
    return outcomes.length === once.length && outcomes.every(({ report }) => report?.warnings.length === 0);
  }

  async end(): Promise<void> {
    await this.#notes?.settled();
  }
}
