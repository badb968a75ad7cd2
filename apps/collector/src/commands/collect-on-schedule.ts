import { once } from 'node:events';
import { ContinuousCollection, watchConfiguration, type ClientOf, type WatchedConfiguration } from '@vitrine/collector';
import type { Config } from '@vitrine/config';
import { RunLines, watchLog, withApproval, type Approval } from '../run-sources.js';
import { EXIT, messageOf, type StoreContext, type ExitCode } from '../context.js';
import { LeaseLostError, collectingStore, type WrittenStore } from '../stores.js';

/**
 * Runs sources on their intervals until the command is stopped, and follows the configuration file as a server does. To be stopped is its normal end, also while
 * it waits for the lease.
 */
export async function collectOnSchedule(config: Config, names: readonly string[], context: StoreContext): Promise<ExitCode> {
  const evenClock = { now: () => performance.now() };
  const watched = watchConfiguration(config, { env: context.env, clock: evenClock, log: watchLog(context) });
  watched.start();
  try {
    return await collectingStore(config, context, (store) =>
      withApproval(watched.approvals, store, context, (approval) => collectInto(store, { config, names, context, watched, approval })),
    );
  } catch (error) {
    if (context.signal.aborted && !(error instanceof LeaseLostError)) return EXIT.fine;
    throw error;
  } finally {
    watched.stop();
  }
}

interface Collecting {
  readonly config: Config;
  readonly names: readonly string[];
  readonly context: StoreContext;
  readonly watched: WatchedConfiguration;
  readonly approval: Approval;
}

async function collectInto(store: WrittenStore, { config, names, context, watched, approval }: Collecting): Promise<ExitCode> {
  const { env, clock, progress, print, warn } = context;
  const lines = new RunLines(context);
  const collecting = new ContinuousCollection({
    ...{ config, names, env, clock, collected: watched, ...approval, log: watchLog(context), origin: null },
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
}

/** The packages of the server are loaded here, because a configuration without heartbeats does not need them. */
async function clientsOf({ server: { trustProxy } }: Config): Promise<ClientOf> {
  const { connectionClients } = await import('@vitrine/http');
  return connectionClients(trustProxy);
}
