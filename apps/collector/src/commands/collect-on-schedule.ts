import { once } from 'node:events';
import { ContinuousCollection, watchConfiguration, type ClientOf } from '@vitrine/collector';
import type { Config } from '@vitrine/config';
import { runLines, watchLog, withApproval } from '../run-sources.js';
import { EXIT, messageOf, type StoreContext, type ExitCode } from '../context.js';
import { LeaseLostError, collectingStore } from '../stores.js';

/**
 * Runs sources on their intervals until the command is stopped, and follows the configuration file as a server does. To be stopped is its normal end, also while
 * it waits for the lease.
 */
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
