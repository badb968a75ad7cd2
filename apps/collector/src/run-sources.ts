import { once } from 'node:events';
import {
  ContinuousCollection,
  CurrentApproval,
  readStoredApprovals,
  describeRun,
  RunNews,
  WatchedApprovals,
  watchConfiguration,
} from '@vitrine/collector';
import type { ClientOf, RunReport, Source, WatchLog } from '@vitrine/collector';
import type { Approvals, Config } from '@vitrine/config';
import { UnavailableError } from '@vitrine/core';
import { EXIT, messageOf, type CommandContext, type ExitCode, type StoreContext } from './context.js';
import { collectingStore, LeaseLostError, type WrittenStore } from './stores.js';

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

/** Runs sources on their intervals, and follows the configuration file. To be stopped is its normal end, also while it waits for the lease. */
export async function collectOnSchedule(config: Config, names: readonly string[], context: StoreContext): Promise<ExitCode> {
  const { env, clock, signal, progress, print, warn } = context;
  const log = watchLog(context);
  const watched = watchConfiguration(config, { env, clock: { now: () => performance.now() }, log });
  watched.start();
  try {
    return await collectingStore(config, context, (store) =>
      withApproval(watched.approvals, store, context, async (approval) => {
        const lines = runLines(context);
        const collecting = new ContinuousCollection({
          ...{ config, names, env, clock, collected: watched, ...approval, log, origin: null },
          clientOf: config.heartbeats === null ? undefined : await clientsOf(config),
          onListening: (address) => print(`Heartbeats are received on ${address}/heartbeat/<token>`),
          onProgress: ({ id }, done, what, total) => progress.count(id, { done, what, total }),
          onReport: lines.collected,
          onError: lines.failed,
          onUnreachable: (error) => warn(`vitrine collect --source cannot reach this process: ${messageOf(error)}`),
        }).begin(store);
        if (!store.signal.aborted) await once(store.signal, 'abort');
        await collecting.stop();
        return EXIT.fine;
      }),
    );
  } catch (error) {
    if (signal.aborted && !(error instanceof LeaseLostError)) return EXIT.fine;
    throw error;
  } finally {
    watched.stop();
  }
}

/** The packages of the server are loaded here, because a configuration without heartbeats does not need them. */
async function clientsOf({ server: { trustProxy } }: Config): Promise<ClientOf> {
  const { connectionClients } = await import('@vitrine/http');
  return connectionClients(trustProxy);
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

function watchLog({ print, warn }: CommandContext): WatchLog {
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
