import { exportRecords, readConfig } from '@vitrine/collector';
import type { CommandContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder } from '../usage-error.js';
import { withStore } from '../with-store.js';

/** Writes every record of the store into a file. */
export async function exportFile(file: string, { env, clock, signal, print, progress }: CommandContext): Promise<ExitCode> {
  const config = await readConfig(env);
  requireFolder(config);
  return withStore(config, clock, async ({ collection }) => {
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
