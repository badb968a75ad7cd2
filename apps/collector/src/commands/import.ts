import { importRecords, readConfig } from '@vitrine/collector';
import { Allowlist } from '@vitrine/core';
import type { CommandContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder } from '../usage-error.js';
import { writingStore } from '../with-store.js';

/** Takes the records of a file into the store. */
export async function importFile(file: string, strict: boolean, context: CommandContext): Promise<ExitCode> {
  const { env, clock, print, warn, progress } = context;
  const config = await readConfig(env);
  requireFolder(config);
  return writingStore(config, context, async ({ writer, signal }) => {
    const report = await importRecords({
      file,
      strict,
      approved: new Allowlist(config.approved).approved(),
      writer,
      clock,
      signal,
      onProblem: warn,
      onProgress: (lines) => {
        progress.show(`${file}: ${String(lines)} lines`);
      },
    });
    const { lines, stored, unchanged, removed, problems } = report;
    print(
      `${file}: ${counted(lines, 'line')}, ${String(stored)} stored, ${String(unchanged)} unchanged, ${String(removed)} removed, ${counted(problems, 'problem')}`,
    );
    return problems === 0 ? EXIT.fine : EXIT.partly;
  });
}
