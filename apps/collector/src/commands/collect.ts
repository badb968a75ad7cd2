import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { createSources, describeRun, runNotesOf, Scheduler, type RunOutcome, type Source } from '@vitrine/collector';
import { cacheFolder, readConfig } from '@vitrine/config';
import { Allowlist } from '@vitrine/core';
import type { StoreContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { messageOf } from '../message-of.js';
import { collectingStore } from '../with-store.js';

/** Runs every source of the configuration once. Heartbeats are received only by a process that collects continuously. */
export async function collect(context: StoreContext): Promise<ExitCode> {
  const { env, clock, print, warn, progress } = context;
  const config = await readConfig(env);
  for (const warning of config.warnings) warn(warning);
  const sources = createSources(config, { folder: cacheFolder(config, env), origin: null, environment: env, clock });
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
      // Only a server runs them, because they check the server itself.
      isForeign: (id) => config.services.some(({ key, check }) => check === 'self' && id === `probe:${key}`),
      onProgress: (source, done, what) => {
        progress.show(`${source.id}: ${String(done)} ${what}`);
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
