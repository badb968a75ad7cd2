import { approvedOf, importRecords, readStoredApprovals, type ImportReport } from '@vitrine/collector';
import { readConfig } from '@vitrine/config';
import type { StoreContext } from '../command-context.js';
import { counted } from '../counted.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { requireFolder, UsageError } from '../usage-error.js';
import { writingStore } from '../with-store.js';

/** The file name that means standard input. */
const STDIN = '-';

/** Stores the records of a file. */
export async function importFile(path: string, strict: boolean, context: StoreContext): Promise<ExitCode> {
  const { env, clock, print, warn, progress } = context;
  if (strict && path === STDIN)
    throw new UsageError('--strict reads the records twice, and the standard input can be read only once; import a file instead');
  const file = path === STDIN ? 'standard input' : path;
  const config = await readConfig(env);
  requireFolder(config);
  return writingStore(config, context, async ({ writer, collection, configurations, signal }) => {
    const approved = approvedOf(config, await readStoredApprovals(configurations, { signal }));
    // If no server collects, only this call updates the search index after a change of the allowlist.
    await writer.indexFor(approved, { signal });
    const report = await importRecords({
      file,
      ...(path === STDIN ? { input: context.stdin() } : {}),
      strict,
      approved,
      writer,
      collection,
      clock,
      signal,
      onProblem: warn,
      onProgress: (lines) => {
        progress.count(file, { done: lines, what: 'lines' });
      },
    });
    for (const line of reportLines(file, report, config.file)) print(line);
    return report.problems === 0 ? EXIT.fine : EXIT.partly;
  });
}

function reportLines(file: string, report: ImportReport, configFile: string): readonly string[] {
  const { lines, stored, unchanged, removed, notFound, skipped, problems } = report;
  const counts = [`${stored} stored`, `${unchanged} unchanged`, `${removed} removed`, `${notFound} not found`, `${skipped} skipped`];
  return [
    `${file}: ${[counted(lines, 'line'), ...counts, counted(problems, 'problem')].join(', ')}`,
    ...(notFound > 0 ? ['Not found: lines that delete a record that is not stored.'] : []),
    ...(skipped > 0
      ? [`Skipped: records of repositories that ${configFile} does not approve. Import the file again after you add them to its list approved.`]
      : []),
  ];
}
