import { approvedOf, importRecords, missingRepository, readStoredApprovals, exportRecords, writingFailed } from '@vitrine/collector';
import type { ImportReport } from '@vitrine/collector';
import { requireStore } from '@vitrine/adapters-sqlite';
import { openFolder } from '@vitrine/http/store';
import { counted, EXIT, fileProblem, hasDisconnected, storedConfig, UsageError, waitOption } from '../context.js';
import type { Add, CommandContext, ExitCode, Run, StoreContext } from '../context.js';
import { readingStore, withOpened, writingStore } from '../stores.js';

export function addRecordCommands(add: Add, context: CommandContext, run: Run): void {
  add('import <file>', 'store the records of a file, or of standard input (-)')
    .option('--strict', 'store nothing if any line is invalid')
    .addOption(waitOption())
    .action(
      run((file: string, { strict = false, wait }: { strict?: boolean; wait: number }) => importFile(file, strict, { ...context, waitMs: wait })),
    );
  add('export <file>', 'write every record of the store to a file, or to standard output (-)').action(
    run((file: string) => exportFile(file, context)),
  );
  add('backup <file>', 'copy the store of a data folder into a new file, also while a server uses it').action(
    run((file: string) => backup(file, context)),
  );
}

/** Standard input or output, in place of a file. */
const STANDARD = '-';

async function importFile(path: string, strict: boolean, context: StoreContext): Promise<ExitCode> {
  const { env, clock, print, warn, progress } = context;
  if (strict && path === STANDARD)
    throw new UsageError('--strict reads the records twice, and the standard input can be read only once; import a file instead');
  const file = path === STANDARD ? 'standard input' : path;
  const config = await storedConfig(env);
  return writingStore(config, context, async ({ writer, collection, configurations, signal }) => {
    const approved = approvedOf(config, await readStoredApprovals(configurations, { signal }));
    // If no server collects, only this call updates the search index after a change of the allowlist.
    await writer.indexFor(approved, { signal });
    const report = await importRecords({
      file,
      ...(path === STANDARD ? { input: context.stdin() } : {}),
      strict,
      approved,
      writer,
      collection,
      clock,
      signal,
      onProblem: warn,
      onProgress: (lines) => progress.count(file, { done: lines, what: 'lines' }),
    });
    for (const ref of report.missingRepositories) warn(`${file}: ${missingRepository(ref)}`);
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

/** Writes every record of the store to a file, or to standard output. Then messages go to standard error. */
async function exportFile(path: string, context: CommandContext): Promise<ExitCode> {
  const { env, print, warn, progress, stdout } = context;
  const [file, output, tell] = path === STANDARD ? ['standard output', stdout(), warn] : [path, undefined, print];
  const config = await storedConfig(env);
  return readingStore(config, context, async ({ collection }) => {
    const records = await exportRecords({
      file,
      ...(output === undefined ? {} : { output }),
      collection,
      signal: context.signal,
      onProgress: (done) => progress.count(file, { done, what: 'records' }),
    });
    tell(`${file}: ${counted(records, 'record')}`);
    return EXIT.fine;
  }).catch((error: unknown) => {
    if (!hasDisconnected(error)) throw output === undefined ? error : writingFailed(file, error);
    warn(`${file}: the reader has disconnected before everything was written`);
    return EXIT.partly;
  });
}

async function backup(file: string, context: CommandContext): Promise<ExitCode> {
  // A file of this name would stay unnoticed, and the message of success would go where the backup was expected.
  if (file === STANDARD) throw new UsageError('a backup needs a file, not the standard output; name a new file, or run export -');
  const config = await storedConfig(context.env);
  const { store } = config;
  if (store.kind === 'mongodb') throw new UsageError(`${config.file} keeps records in MongoDB. Use mongodump to back up the database.`);
  if (store.path !== null) await requireStore(store.path);
  await withOpened(
    (options) => openFolder(store, options),
    context,
    (opened) =>
      opened.backup(file).catch((error: unknown) => {
        throw fileProblem(error, file, REASONS) ?? writingFailed(file, error);
      }),
  );
  context.print(`${file}: the store of ${String(store.path)} was copied. To restore it, put the file as vitrine.db into an empty folder.`);
  return EXIT.fine;
}

/** What `writingFailed` does not know: SQLite writes the copy, and hides errors of the operating system behind its own. */
const REASONS = {
  EEXIST: 'exists. Name a new file, because a backup never replaces one.',
  SQLITE_FULL: 'cannot be written, because the disk is full; free space',
  SQLITE_IOERR_WRITE: 'cannot be written; check its disk, the disk quota of this user, and the limit for the size of files (ulimit -f)',
};

export async function checkStore(context: CommandContext): Promise<ExitCode> {
  const { env, print, progress } = context;
  const config = await storedConfig(env);
  const { store, file } = config;
  progress.show('reading everything that is stored');
  const { records, damages } = await readingStore(config, context, (opened) => opened.check(context));
  for (const [name, count] of records) print(`${name}: ${String(count)}`);
  for (const { kind, id, reason } of damages) print(`damaged: ${kind} ${id}: ${reason}`);
  const place = store.kind === 'mongodb' ? `the database at ${store.hosts}` : (store.path ?? file);
  print(
    `${place}: ${damages.length === 0 ? 'nothing is damaged' : `${counted(damages.length, 'problem')}. To get back what is damaged, collect again, or restore a backup.`}`,
  );
  return damages.length === 0 ? EXIT.fine : EXIT.partly;
}
