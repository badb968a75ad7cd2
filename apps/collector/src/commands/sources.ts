import { configuredOrigin, createSources, notesFile, readNotes, readStoredApprovals, type RunNote, type Source } from '@vitrine/collector';
import { cacheFolder } from '@vitrine/config';
import { formatInstant, SECOND, sourceStateOf, type Instant, type SourceState, type Sync } from '@vitrine/core';
import { EXIT, storedConfig, type StoreContext, type ExitCode } from '../context.js';
import { readingStore } from '../stores.js';

interface SourceLine {
  readonly id: string;
  /** What logs call the source. */
  readonly source: string;
  /** `unknown`: no process has collected with this configuration yet. */
  readonly state: SourceState | 'unknown';
  readonly intervalMs: number;
  readonly lastRunAt: Instant | null;
  readonly lastSuccessAt: Instant | null;
  /** About: a run begins a random moment later, or later still after failures. `null` before the first run. */
  readonly nextRunAt: Instant | null;
  readonly lastFailure: { readonly at: Instant; readonly code: string | null; readonly reason: string | null } | null;
  readonly note: RunNote | null;
}

/** Prints each source of the configuration with its stored runs. */
export async function sources({ json }: { readonly json: boolean }, context: StoreContext): Promise<ExitCode> {
  const { env, print, clock } = context;
  const config = await storedConfig(env);
  const notes = await readNotes(notesFile(config, env));
  return readingStore(config, context, async ({ collection, readers: { configurations } }) => {
    const { signal } = context;
    const stored = await readStoredApprovals(configurations, { signal });
    const made = createSources(config, { folder: cacheFolder(config, env), origin: () => configuredOrigin(config), environment: env, stored });
    const lines: SourceLine[] = [];
    for (const source of made) {
      if (source.registration === undefined) continue;
      const { id } = source.registration;
      lines.push(lineOf(source, id, await collection.sync(id, { signal }), notes.get(id) ?? null, clock.now()));
    }
    if (json) print(JSON.stringify(lines.map(plain)));
    else for (const line of lines) for (const text of textOf(line)) print(text);
    return EXIT.fine;
  });
}

const NEVER = { lastAttemptAt: null, lastSuccessAt: null, lastFailureAt: null, lastFailureCode: null };

function lineOf({ id: source, intervalMs }: Source, id: string, sync: Sync | null, note: RunNote | null, now: Instant): SourceLine {
  const { lastAttemptAt, lastSuccessAt, lastFailureAt, lastFailureCode } = sync ?? NEVER;
  return {
    id,
    source,
    state: sync === null ? 'unknown' : sourceStateOf(sync, now),
    intervalMs,
    lastRunAt: lastAttemptAt,
    lastSuccessAt,
    nextRunAt: lastAttemptAt === null ? null : lastAttemptAt + intervalMs,
    lastFailure: lastFailureAt === null ? null : { at: lastFailureAt, code: lastFailureCode, reason: note?.lastFailure ?? null },
    note,
  };
}

function textOf(line: SourceLine): readonly string[] {
  const { source, id, state, lastFailure, note } = line;
  const failure = lastFailure === null ? [] : [`  last failure ${formatInstant(lastFailure.at)}: ${lastFailure.reason ?? String(lastFailure.code)}`];
  const warnings = note === null ? [] : note.warnings.map((warning) => `  warning: ${warning}`);
  return [`${source} (${id}): ${state}, ${runsText(line)}${countsText(note)}`, ...failure, ...warnings];
}

function runsText({ lastRunAt, nextRunAt }: SourceLine): string {
  if (lastRunAt === null || nextRunAt === null) return 'no run yet';
  return `last run ${formatInstant(lastRunAt)}, next about ${formatInstant(nextRunAt)}`;
}

function countsText(note: RunNote | null): string {
  if (note === null || note.counts === null) return '';
  const { stored, unchanged, removed } = note.counts;
  return `, ${String(stored)} stored, ${String(unchanged)} unchanged, ${String(removed)} removed`;
}

function plain({ note, intervalMs, lastRunAt, lastSuccessAt, nextRunAt, lastFailure, ...line }: SourceLine) {
  const { counts, warnings } = note ?? { counts: null, warnings: [] };
  return {
    ...line,
    intervalSeconds: intervalMs / SECOND,
    lastRunAt: timeText(lastRunAt),
    lastSuccessAt: timeText(lastSuccessAt),
    nextRunAt: timeText(nextRunAt),
    counts,
    warnings,
    lastFailure: lastFailure === null ? null : { ...lastFailure, at: timeText(lastFailure.at) },
  };
}

function timeText(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
