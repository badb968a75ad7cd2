import { StoreFolderError } from '@vitrine/adapters-sqlite';
import { describeRun, runNotesOf, Scheduler, type RunOutcome, type Source } from '@vitrine/collector';
import { cacheFolder, readConfig, type Config } from '@vitrine/config';
import type { StoreContext } from '../command-context.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { listOwners } from '../list-owners.js';
import { messageOf } from '../message-of.js';
import type { OpenedStore } from '../opened-store.js';
import { withApproval, type Approval } from '../with-approval.js';
import { collectingStore } from '../with-store.js';

/** Runs every source of the configuration once. */
export async function collect(context: StoreContext): Promise<ExitCode> {
  const config = await readConfig(context.env);
  for (const warning of config.warnings) context.warn(warning);
  return collectingStore(config, context, (store) =>
    withApproval(config, store, context, (approval) => collectInto(store, { config, approval }, context)),
  );
}

interface CollectedWith {
  readonly config: Config;
  readonly approval: Approval;
}

async function collectInto(store: OpenedStore, { config, approval }: CollectedWith, context: StoreContext): Promise<ExitCode> {
  const { writer, collection, signal } = store;
  const { env, clock, print, warn, progress } = context;
  const notes = runNotesOf(config, env);
  const approved = () => approval.permission.current();
  const options = { folder: cacheFolder(config, env), origin: null, environment: env, clock, approved };
  const { sources, isList, isFine } = await listOwners({ config, options, approval, notes }, store, context);
  const failures: StoreFolderError[] = [];
  const scheduler: Scheduler = new Scheduler({
    writer,
    collection,
    clock,
    approved,
    configuration: config.file,
    notes,
    // Only a server checks itself.
    isForeign: (id) => isList(id) || config.services.some(({ key, check }) => check === 'self' && id === `probe:${key}`),
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
  return config.warnings.length === 0 && isFine && areFine(outcomes, sources) ? EXIT.fine : EXIT.partly;
}

/** Whether every source was run, and left nothing out. */
function areFine(outcomes: readonly RunOutcome[], sources: readonly Source[]): boolean {
  return outcomes.length === sources.length && outcomes.every(({ report }) => report?.warnings.length === 0);
}
