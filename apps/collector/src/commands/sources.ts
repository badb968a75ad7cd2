import { configuredOrigin, createSources, notesFile, readNotes, readStoredApprovals, type RunNote, type Source } from '@vitrine/collector';
import { cacheFolder } from '@vitrine/config';
import { formatInstant, SECOND, sourceStateOf, type Instant, type Sync } from '@vitrine/core';
import { EXIT, storedConfig, type Add, type CommandContext, type ExitCode, type Run } from '../context.js';
import { readingStore } from '../stores.js';

export function addSourcesCommand(add: Add, context: CommandContext, run: Run): void {
  add('sources', 'show the state, the last runs and the last failure of each source')
    .option('--json', 'print one JSON array')
    .action(run(({ json = false }: { json?: boolean }) => sources(json, context)));
}

async function sources(json: boolean, context: CommandContext): Promise<ExitCode> {
  const { env, print, clock } = context;
  const config = await storedConfig(env);
  const notes = await readNotes(notesFile(config, env));
  return readingStore(config, context, async ({ collection, readers: { configurations } }) => {
    const { signal } = context;
    const stored = await readStoredApprovals(configurations, { signal });
    const made = createSources(config, { folder: cacheFolder(config, env), origin: () => configuredOrigin(config), environment: env, stored });
    const reports: SourceReport[] = [];
    for (const source of made) {
      if (source.registration === undefined) continue;
      const { id } = source.registration;
      reports.push(reportOf(source, id, await collection.sync(id, { signal }), notes.get(id) ?? NO_NOTE, clock.now()));
    }
    if (json) print(JSON.stringify(reports));
    else for (const report of reports) for (const line of linesOf(report)) print(line);
    return EXIT.fine;
  });
}

type SourceReport = ReturnType<typeof reportOf>;

const NO_NOTE: RunNote = { counts: null, warnings: [], lastFailure: null, retryAt: null };
const NEVER = { lastAttemptAt: null, lastSuccessAt: null, lastFailureAt: null, lastFailureCode: null };

function reportOf(
  { id: source, intervalMs }: Source,
  id: string,
  sync: Sync | null,
  { counts, warnings, lastFailure: reason, retryAt }: RunNote,
  now: Instant,
) {
  const { lastAttemptAt, lastSuccessAt, lastFailureAt, lastFailureCode } = sync ?? NEVER;
  return {
    id,
    source,
    // `unknown`: no process has collected with this configuration yet.
    state: sync === null ? 'unknown' : sourceStateOf(sync, now),
    intervalSeconds: intervalMs / SECOND,
    lastRunAt: timeText(lastAttemptAt),
    lastSuccessAt: timeText(lastSuccessAt),
    // About: a run begins a random moment later.
    nextRunAt: lastAttemptAt === null ? null : formatInstant(retryAt ?? lastAttemptAt + intervalMs),
    counts,
    warnings,
    lastFailure: lastFailureAt === null ? null : { at: formatInstant(lastFailureAt), code: lastFailureCode, reason },
  };
}

function linesOf({ source, id, state, lastRunAt, nextRunAt, counts, warnings, lastFailure }: SourceReport): readonly string[] {
  const runs = lastRunAt === null ? 'no run yet' : `last run ${lastRunAt}, next about ${String(nextRunAt)}`;
  const stored = counts === null ? '' : `, ${String(counts.stored)} stored, ${String(counts.unchanged)} unchanged, ${String(counts.removed)} removed`;
  const failure = lastFailure === null ? [] : [`  last failure ${lastFailure.at}: ${lastFailure.reason ?? String(lastFailure.code)}`];
  return [`${source} (${id}): ${state}, ${runs}${stored}`, ...failure, ...warnings.map((warning) => `  warning: ${warning}`)];
}

function timeText(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
