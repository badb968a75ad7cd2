import { initStore, missingIndexes, reindexStore } from '@vitrine/adapters-mongo';
import type { MongoStoreConfig } from '@vitrine/config';
import { readConfig } from '@vitrine/collector';
import { openDatabase } from '@vitrine/http/store';
import { EXIT, type CommandContext, type ExitCode, type StoreContext } from '../context.js';
import { leased, withOpened } from '../stores.js';

/** Prepares the database: creates collections, their schemas and indexes. You can run it at any time, also while others read and write. */
export async function initDatabase(context: CommandContext): Promise<ExitCode> {
  return onMongo(context, async ({ db }, store) => {
    const { length } = await missingIndexes(db);
    context.progress.show(`${db.databaseName}: indexes to build: ${String(length)}`);
    const withoutSchema = await initStore(db, { clock: context.clock, retentionMs: store.retentionMs });
    context.print(`The database ${db.databaseName} at ${store.hosts} is ready; indexes built: ${String(length)}.`);
    if (withoutSchema.length === 0) return EXIT.fine;
    context.warn(`To change the schema of ${withoutSchema.join(', ')}, which only warns, the user needs the role dbAdmin too.`);
    return EXIT.partly;
  });
}

/** Rebuilds the data that is derived from the records. Readers see the old data until the new data is complete. The next run continues an interrupted one. */
export async function reindexDatabase(context: StoreContext): Promise<ExitCode> {
  return onMongo(context, (database, store) =>
    leased(database, context, async ({ signal }, { lease }) => {
      const { db } = database;
      const onProgress = (line: string): void => context.progress.show(line);
      await reindexStore(db, { clock: context.clock, retentionMs: store.retentionMs, lease, signal, onProgress });
      context.print(`The database ${db.databaseName} at ${store.hosts} is reindexed.`);
      return EXIT.fine;
    }),
  );
}

async function onMongo(
  context: CommandContext,
  run: (database: Awaited<ReturnType<typeof openDatabase>>, store: MongoStoreConfig) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { file, store } = await readConfig(context.env);
  if (store.kind === 'mongodb')
    return withOpened(
      (options) => openDatabase(store, options),
      context,
      (database) => run(database, store),
    );
  context.print(`${file} keeps records in a folder, which prepares itself and derives what it needs when it is opened: nothing is to be done.`);
  return EXIT.fine;
}
