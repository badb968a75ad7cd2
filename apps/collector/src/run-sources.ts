import {
  CurrentApproval,
  readStoredApprovals,
  describeRun,
  RunNews,
  type Source,
  WatchedApprovals,
  type RunReport,
  type WatchLog,
} from '@vitrine/collector';
import type { Approvals } from '@vitrine/config';
import { UnavailableError } from '@vitrine/core';
import { messageOf, type CommandContext } from './context.js';
import type { WrittenStore } from './stores.js';

export interface Approval {
  readonly permission: CurrentApproval;
  /** What the store says. Its first read has succeeded. */
  readonly stored: WatchedApprovals;
}

/** Follows what the store says about approved repositories while the call runs. Rejects if the store cannot be read. @param approvals those of the configuration; may throw */
export async function withApproval<Result>(
  approvals: () => Approvals,
  { configurations, signal }: WrittenStore,
  context: CommandContext,
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

/** Prints what is new about the runs of sources. */
export function runLines({ print, warn, progress }: CommandContext) {
  const news = new RunNews();
  return {
    collected: (source: Source, report: RunReport): void => {
      const { id } = source;
      progress.end(id);
      const { isFirst, isRecovered, isChange, begun } = news.completed(source, report);
      for (const warning of begun) warn(warning);
      for (const notice of report.notices ?? []) print(`${id}: ${notice}`);
      if (isFirst || isRecovered || isChange) print(`${id}: ${isRecovered ? 'collected again, ' : ''}${describeRun(report)}`);
    },
    failed: (source: Source, error: unknown): void => {
      progress.end(source.id);
      if (news.failed(source, messageOf(error)).isNew) warn(`${source.id}: ${messageOf(error)}`);
    },
  };
}

export function watchLog({ print, warn }: CommandContext): WatchLog {
  const to =
    (write: (line: string) => void) =>
    (facts: object, sentence: string): void =>
      write(`${sentence}${shown(facts)}`);
  return { info: to(print), warn: to(warn), error: to(warn) };
}

/** Facts are short: numbers, names of keys, or sentences about the file. */
function shown(facts: object): string {
  const texts = Object.entries(facts).flatMap(([name, value]: [string, unknown]) => {
    if (Array.isArray(value)) return value.map(String).join(', ');
    return typeof value === 'number' ? `${name}: ${String(value)}` : messageOf(value);
  });
  return texts.length === 0 ? '' : ` (${texts.join(', ')})`;
}
