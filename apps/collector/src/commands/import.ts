import { importRecords, readConfig } from '@vitrine/collector';
import { Allowlist } from '@vitrine/core';
import type { StoreContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder } from '../usage-error.js';
import { writingStore } from '../with-store.js';

/** Takes the records of a file into the store. */
export async function importFile(file: string, strict: boolean, context: StoreContext): Promise<ExitCode> {
  const { env, clock, print, warn, progress } = context;
  const config = await readConfig(env);
  requireFolder(config);
  const approved = new Allowlist(config.approved).approved();
  return writingStore(config, context, async ({ writer, collection, signal }) => {
    // Where nothing else collects, this is when search follows a change of the allowlist.
    await writer.indexFor(approved, { signal });
    const report = await importRecords({
      file,
      strict,
      approved,
      writer,
      collection,
      clock,
      signal,
      onProblem: warn,
      onProgress: (lines) => {
        progress.show(`${file}: ${String(lines)} lines`);
      },
    });
    const { lines, stored, unchanged, removed, skipped, problems } = report;
    print(
      `${file}: ${counted(lines, 'line')}, ${String(stored)} stored, ${String(unchanged)} unchanged, ${String(removed)} removed, ${String(skipped)} skipped, ${counted(problems, 'problem')}`,
    );
    if (skipped > 0)
      print(`Skipped: records of repositories that ${config.file} does not approve. Import the file again after you add them to its list approved.`);
    return problems === 0 ? EXIT.fine : EXIT.partly;
  });
}
