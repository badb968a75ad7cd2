import { exportRecords } from '@vitrine/collector';
import { readConfig } from '@vitrine/config';
import type { StoreContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder } from '../usage-error.js';
import { readingStore } from '../with-store.js';

/** The file name that means standard output. */
const STDOUT = '-';

/** Writes every record of the store to a file, or to standard output. Then messages go to standard error. */
export async function exportFile(path: string, context: StoreContext): Promise<ExitCode> {
  const { env, print, warn, progress, stdout } = context;
  const [file, output, tell] = path === STDOUT ? ['standard output', stdout(), warn] : [path, undefined, print];
  const config = await readConfig(env);
  requireFolder(config);
  return readingStore(config, context, async ({ collection, signal }) => {
    const records = await exportRecords({
      file,
      ...(output === undefined ? {} : { output }),
      collection,
      signal,
      onProgress: (done) => {
        progress.count(file, { done, what: 'records' });
      },
    });
    tell(`${file}: ${counted(records, 'record')}`);
    return EXIT.fine;
  }).catch((error: unknown) => {
    if (!isDisconnected(error)) throw error;
    warn(`${file}: the reader has disconnected before everything was written`);
    return EXIT.partly;
  });
}

function isDisconnected(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EPIPE';
}
