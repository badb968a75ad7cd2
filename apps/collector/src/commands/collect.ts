import { StoreFolderError } from '@vitrine/adapters-sqlite';
import {
  askToRun,
  requestsSocket,
  runNotesOf,
  Scheduler,
  boundSources,
  chosenOf,
  isLeftToOthers,
  isNamed,
  ConfiguredSources,
  NOTHING_STORED,
  readConfig,
} from '@vitrine/collector';
import type { CurrentApproval, Source } from '@vitrine/collector';
import { cacheFolder, type Config } from '@vitrine/config';
import { CONFIGURATION, nearest } from '@vitrine/core';
import { collectOnSchedule, runLines, withApproval, type Approval } from '../run-sources.js';
import { EXIT, repeated, UsageError, waitOption, type Add, type CommandContext, type StoreContext, type ExitCode, type Run } from '../context.js';
import { collectingStore, type WrittenStore } from '../stores.js';

export function addCollectCommand(add: Add, context: CommandContext, run: Run): void {
  add('collect', 'run every source of the configuration once')
    .option('--watch', 'run sources on their intervals until the command is stopped, and follow the configuration file')
    .addOption(repeated('--source <name>', 'run only this source, by a name that the command sources prints', 'all'))
    .addOption(waitOption())
    .action(
      run(({ watch = false, source, wait }: { watch?: boolean; source: readonly string[]; wait: number }) =>
        collect(watch, source, { ...context, waitMs: wait }),
      ),
    );
}

/** Heartbeats are received only with `watch`. Rejects with a {@link UsageError} if a name is unknown. */
async function collect(watch: boolean, names: readonly string[], context: StoreContext): Promise<ExitCode> {
  const config = await readConfig(context.env);
  const { env, clock, warn } = context;
  const possible = new ConfiguredSources(config, { folder: cacheFolder(config, env), origin: null, environment: env, clock }).possible(config);
  requireSources(names, possible, config);
  for (const warning of config.warnings) warn(warning);
  if (watch) return collectOnSchedule(config, names, { ...context, print: context.log });
  return (
    (await collectThere(config, names, context)) ??
    collectingStore(config, context, (store) =>
      withApproval(
        () => config,
        store,
        context,
        (approval) => collectOnce({ config, names, possible, approval, store }, context),
      ),
    )
  );
}

/** A source has the two names that `vitrine sources` prints, such as `git acme/widget` and `git:acme/widget`. */
function requireSources(names: readonly string[], sources: readonly Source[], config: Config): void {
  for (const name of names) {
    if (sources.some((source) => isNamed(source, name))) continue;
    if (config.services.some(({ key, check }) => check === 'self' && [`self-check ${key}`, `probe:${key}`].includes(name)))
      throw new UsageError(`${JSON.stringify(name)} checks the server itself, so only a running server collects it. Leave it out.`);
    // A source that is not registered is not printed either, so it has no name.
    const known = sources.flatMap(({ id, registration }) => (registration === undefined ? [] : [id, registration.id]));
    const near = nearest(name, known);
    const meant = near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
    throw new UsageError(`${config.file} has no source ${JSON.stringify(name)}.${meant} The command sources prints the name of each source.`);
  }
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
  const runs = new Runs(config, permission, store, context);
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
  return config.warnings.length + skipped.length === 0 && listed && rest ? EXIT.fine : EXIT.partly;
}

class Runs {
  readonly #scheduler: Scheduler;
  readonly #settled: () => Promise<void> | undefined;
  #sources: readonly Source[] = [];
  #isForeign: (id: string) => boolean = () => true;
  #unwritable: StoreFolderError | null = null;

  constructor(config: Config, permission: CurrentApproval, { writer, collection, signal }: WrittenStore, context: StoreContext) {
    const { env, clock, progress } = context;
    const lines = runLines(context);
    const notes = runNotesOf(config, env);
    this.#settled = () => notes?.settled();
    this.#scheduler = new Scheduler({
      ...{ writer, collection, clock, configuration: config.file, notes },
      approved: () => permission.current(),
      candidates: () => permission.candidates(),
      isForeign: (id) => this.#isForeign(id),
      onProgress: (source, done, what, total) => {
        const place = `source ${String(this.#sources.indexOf(source) + 1)} of ${String(this.#sources.length)}`;
        progress.count(`${source.id} (${place})`, { done, what, total });
      },
      onReport: lines.collected,
      onError: (source, error) => {
        if (!(error instanceof StoreFolderError)) {
          lines.failed(source, error);
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
    await this.#settled();
    if (this.#unwritable !== null) throw this.#unwritable;
    const once = sources.filter(({ receiver }) => receiver === undefined);
    return outcomes.length === once.length && outcomes.every(({ report }) => report?.warnings.length === 0);
  }
}
