import { importRecords, readConfig } from '@vitrine/collector';
import { Allowlist } from '@vitrine/core';
import type { CommandContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder } from '../usage-error.js';
import { withStore } from '../with-store.js';

/** Takes the records of a file into the store. */
export async function importFile(file: string, strict: boolean, { env, clock, signal, print, warn, progress }: CommandContext): Promise<ExitCode> {
  const config = await readConfig(env);
  requireFolder(config);
  return withStore(config, clock, async ({ writer }) => {
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
