import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { createSources, describeRun, runNotesOf, Scheduler, type RunOutcome, type Source } from '@vitrine/collector';
import { cacheFolder, readConfig, type Config } from '@vitrine/config';
import { Allowlist } from '@vitrine/core';
import { chosenOf, isLeftToOthers, requireSources } from '../chosen-sources.js';
import type { StoreContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { messageOf } from '../message-of.js';
import { collectingStore } from '../with-store.js';
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
  const all = createSources(config, { folder: cacheFolder(config, env), origin: null, environment: env, clock });
  requireSources(names, all, config);
  for (const warning of config.warnings) warn(warning);
  return watch ? collectOnSchedule(config, names, context) : collectOnce(config, { all, sources: chosenOf(names, all) }, context);
}

interface SourcesToRun {
  /** Those of the configuration. */
  readonly all: readonly Source[];
  readonly sources: readonly Source[];
}

async function collectOnce(config: Config, { all, sources }: SourcesToRun, context: StoreContext): Promise<ExitCode> {
  const { env, clock, print, warn, progress } = context;
  const notes = runNotesOf(config, env);
  const approved = new Allowlist(config.approved).approved();
  return collectingStore(config, context, async ({ writer, collection, signal }) => {
    const failures: StoreFolderError[] = [];
    const scheduler: Scheduler = new Scheduler({
      writer,
      collection,
      clock,
      approved: () => approved,
      configuration: config.file,
      notes,
      isForeign: (id) => isLeftToOthers(id, all, sources, config),
      onProgress: (source, done, what, total) => {
        progress.count(`${source.id} (source ${String(sources.indexOf(source) + 1)} of ${String(sources.length)})`, { done, what, total });
      },
      onError: (source, error) => {
        if (error instanceof StoreFolderError) {
          // If the store cannot be used, every other source would fail too.
          failures.push(error);
          void scheduler.stop();
        } else warn(`${source.id}: ${messageOf(error)}`);
      },
      onReport: (source, report) => {
        for (const warning of report.warnings) warn(warning);
        print(`${source.id}: ${describeRun(report)}`);
      },
    });
    signal.addEventListener('abort', () => void scheduler.stop(), { once: true });
    const outcomes = await scheduler.runOnce(sources);
    await notes?.settled();
    const [unwritable] = failures;
    if (unwritable !== undefined) throw unwritable;
    return config.warnings.length === 0 && areFine(outcomes, sources) ? EXIT.fine : EXIT.partly;
  });
}

/** Whether every source that can be run once was run, and left nothing out. */
function areFine(outcomes: readonly RunOutcome[], sources: readonly Source[]): boolean {
  const once = sources.filter(({ receiver }) => receiver === undefined);
  return outcomes.length === once.length && outcomes.every(({ report }) => report?.warnings.length === 0);
}
