import {
  CurrentApproval,
  readStoredApprovals,
  describeRun,
  isNamed,
  RunNews,
  type Source,
  WatchedApprovals,
  type RunReport,
  type WatchLog,
} from '@vitrine/collector';
import type { Config, Approvals } from '@vitrine/config';
import { nearest, UnavailableError } from '@vitrine/core';
import { UsageError, messageOf, type StoreContext, type CommandContext } from './context.js';
import type { WrittenStore } from './stores.js';

/** Throws a {@link UsageError} if a name is not that of a source. A source has the two names that `vitrine sources` prints, such as `git acme/widget` and `git:acme/widget`. */
export function requireSources(names: readonly string[], sources: readonly Source[], config: Config): void {
  for (const name of names) {
    if (sources.some((source) => isNamed(source, name))) continue;
    if (config.services.some(({ key, check }) => check === 'self' && [`self-check ${key}`, `probe:${key}`].includes(name)))
      throw new UsageError(`${JSON.stringify(name)} checks the server itself, so only a running server collects it. Leave it out.`);
    const near = nearest(name, sources.flatMap(namesOf));
    const meant = near === null ? '' : ` Did you mean ${JSON.stringify(near)}?`;
    throw new UsageError(`${config.file} has no source ${JSON.stringify(name)}.${meant} The command sources prints the name of each source.`);
  }
}

/** A source that is not registered is not printed either, so it has no name. */
function namesOf({ id, registration }: Source): readonly string[] {
  return registration === undefined ? [] : [id, registration.id];
}

export interface Approval {
  readonly permission: CurrentApproval;
  /** What the store says. Its first read has succeeded. */
  readonly stored: WatchedApprovals;
}

/** Follows what the store says about approved repositories while the call runs. Rejects if the store cannot be read. @param approvals those of the configuration; may throw */
export async function withApproval<Result>(
  approvals: () => Approvals,
  { configurations, signal }: Pick<WrittenStore, 'configurations' | 'signal'>,
  context: StoreContext,
  call: (approval: Approval) => Promise<Result>,
): Promise<Result> {
  // A read that rejects with its reason. Later ones are logged if they fail.
  await readStoredApprovals(configurations, { signal });
  const stored = new WatchedApprovals({ reader: configurations, approvals, log: watchLog(context), factsOf: (error) => ({ error }) });
  await stored.poll();
  if (stored.current() === null) throw new UnavailableError('The lists of approved repositories cannot be read from the store.');
  stored.start();
  try {
    return await call({ permission: new CurrentApproval(approvals, stored.current), stored });
  } finally {
    stored.stop();
  }
}

/** Prints what is new about the runs of sources that repeat. */
export class RunLines {
  readonly #news = new RunNews();

  constructor(private readonly output: Pick<CommandContext, 'print' | 'warn' | 'progress'>) {}

  readonly collected = (source: Pick<Source, 'id' | 'registration'>, report: RunReport): void => {
    const { print, warn, progress } = this.output;
    const { id } = source;
    progress.end(id);
    const { isFirst, isRecovered, isChange, begun } = this.#news.completed(source, report);
    for (const warning of begun) warn(warning);
    for (const notice of report.notices ?? []) print(`${id}: ${notice}`);
    if (isFirst || isRecovered || isChange) print(`${id}: ${isRecovered ? 'collected again, ' : ''}${describeRun(report)}`);
  };

  readonly failed = (source: Pick<Source, 'id'>, error: unknown): void => {
    const { warn, progress } = this.output;
    progress.end(source.id);
    if (this.#news.failed(source, messageOf(error)).isNew) warn(`${source.id}: ${messageOf(error)}`);
  };
}

export function watchLog({ print, warn }: Pick<CommandContext, 'print' | 'warn'>): WatchLog {
  return {
    info: (facts, sentence) => print(`${sentence}${shown(facts)}`),
    warn: (facts, sentence) => warn(`${sentence}${shown(facts)}`),
    error: (facts, sentence) => warn(`${sentence}${shown(facts)}`),
  };
}

/** Facts are short: numbers, names of keys, or sentences about the file. */
function shown(facts: object): string {
  const texts = Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return value.map(String).join(', ');
    return typeof value === 'number' ? `${name}: ${String(value)}` : messageOf(value);
  });
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}
