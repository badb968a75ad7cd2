import { cacheFolder, dataFolderOf, type Config, type Environment } from '@vitrine/config';
import type { Clock } from '@vitrine/core';
import { chosenOf, isLeftToOthers, ConfiguredSources } from './create-sources.js';
import { boundSources, type CurrentApproval, NOTHING_STORED } from './approvals.js';
import { requestsSocket, runNotesOf, type RunNotes } from './run-notes.js';
import { RunRequests } from './run-requests.js';
import { Scheduler, type SchedulerOptions } from './scheduler.js';
import type { Source } from './source.js';
import type { SourcesOptions } from './source-factory.js';
import { RepeatedProblems, type WatchLog } from './news.js';
import type { WatchedApprovals } from './watched-approvals.js';
import { logSkipped, type WatchedConfiguration } from './watched-configuration.js';

export interface ContinuousCollectionOptions
  extends Pick<SourcesOptions, 'origin' | 'clientOf' | 'onListening'>, Pick<SchedulerOptions, 'onReport' | 'onError' | 'onProgress'> {
  /** The parts of the configuration that do not change. */
  readonly config: Config;
  readonly env: Environment;
  readonly clock: Clock;
  readonly collected: Pick<WatchedConfiguration, 'current' | 'onChange'>;
  readonly stored: WatchedApprovals;
  readonly permission: CurrentApproval;
  /** The names of the sources that run. Default: all run. */
  readonly names?: readonly string[];
  readonly log: WatchLog;
  /** `vitrine collect --source` cannot reach this process. */
  readonly onUnreachable: (error: unknown) => void;
}

/** Runs the sources of a configuration on their intervals, follows its file and the stored approvals, and takes requests to run a source now. */
export class ContinuousCollection {
  readonly #options: ContinuousCollectionOptions;
  readonly #made: ConfiguredSources;
  readonly #notes: RunNotes | null;
  readonly #skipped = new RepeatedProblems();
  #known: readonly Source[] = [];
  #chosen: readonly Source[] = [];
  #scheduler: Scheduler | null = null;

  constructor(options: ContinuousCollectionOptions) {
    const { config, env, clock, permission, collected, stored, origin, clientOf, onListening } = options;
    const approved = () => permission.current();
    this.#options = options;
    this.#made = new ConfiguredSources(config, {
      folder: cacheFolder(config, env),
      environment: env,
      clock,
      approved,
      origin,
      clientOf,
      onListening,
    });
    this.#notes = runNotesOf(config, env);
    const replace = (): void => {
      this.#choose();
      this.#scheduler?.replace(this.#chosen);
    };
    collected.onChange(replace);
    stored.onChange(replace);
  }

  /** Collects into a store until it is stopped, and into one store at a time. */
  begin({ writer, collection }: Pick<SchedulerOptions, 'writer' | 'collection'>): { readonly stop: () => Promise<void> } {
    const { config, env, clock, permission, collected, stored, onReport, onError, onProgress, onUnreachable } = this.#options;
    const scheduler = new Scheduler({
      writer,
      collection,
      clock,
      approved: () => permission.current(),
      candidates: () => permission.candidates(),
      configuration: config.file,
      notes: this.#notes,
      isForeign: (id) => isLeftToOthers(id, this.#known, this.#chosen, collected.current()),
      onReport,
      onError,
      onProgress,
    });
    let isStopped = false;
    let requests: RunRequests | null = null;
    // Before the stored lists were read, a source of a listed repository would seem to have left the configuration.
    void stored.known.then(() => {
      if (isStopped) return;
      this.#choose();
      this.#scheduler = scheduler;
      scheduler.start(this.#chosen);
      const path = requestsSocket(config, env);
      if (path !== null) requests = new RunRequests({ path, dataFolder: dataFolderOf(config), scheduler, onProblem: onUnreachable });
    });
    return {
      stop: async () => {
        [isStopped, this.#scheduler] = [true, null];
        await requests?.close();
        await scheduler.stop();
      },
    };
  }

  #choose(): void {
    const { collected, stored, names = [], log } = this.#options;
    const [entries, approvals] = [collected.current(), stored.current() ?? NOTHING_STORED];
    logSkipped(log, this.#skipped, boundSources(entries, approvals).skipped);
    // Without names, sources that are missing have left the configuration.
    const possible = names.length === 0 ? null : this.#made.possible(entries);
    const all = this.#made.of(entries, approvals);
    this.#known = possible ?? all;
    this.#chosen = chosenOf(names, all);
  }
}
