import { exportRecords } from '@vitrine/collector';
import { readConfig } from '@vitrine/config';
import type { StoreContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder } from '../usage-error.js';
import { readingStore } from '../with-store.js';

/** Writes every record of the store into a file. */
export async function exportFile(file: string, context: StoreContext): Promise<ExitCode> {
  const { env, print, progress } = context;
  const config = await readConfig(env);
  requireFolder(config);
  return readingStore(config, context, async ({ collection, signal }) => {
    const records = await exportRecords({
      file,
      collection,
      signal,
      onProgress: (done) => {
        progress.show(`${file}: ${String(done)} records`);
      },
    });
    print(`${file}: ${counted(records, 'record')}`);
    return EXIT.fine;
  });
}
