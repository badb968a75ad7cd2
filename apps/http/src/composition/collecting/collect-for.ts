import type { Environment } from '@vitrine/config';
import { pino } from 'pino';
import { errorForLog } from '../error-serializer.js';
import { followConfiguration } from '../follow-configuration.js';
import { openCollectedStore } from './collected-store.js';
import type { Collecting } from './collecting-in-turn.js';
import type { Assignment, FromCollector } from './messages.js';
import { followAllowlist, startCollecting } from './start-collecting.js';

/** The server follows the same file and the same store, and logs what changes. */
const UNHEARD = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** What the process beside a server does. Rejects if the store cannot be opened. @param send sends a message to the server */
export async function collectFor(assignment: Assignment, env: Environment, send: (message: FromCollector) => void): Promise<Collecting> {
  const { config, collects } = assignment;
  const destination = {
    write: (log: string) => {
      send({ log });
    },
  };
  const logger = pino({ level: config.logLevel, base: { process: 'collector' }, serializers: { err: errorForLog } }, destination);
  const print = (line: string): void => {
    send({ line });
  };
  const follow = followConfiguration(config, env, UNHEARD);
  const store = await openCollectedStore(assignment, {
    logger,
    print,
    onWritable: (isWritable) => {
      send({ isWritable });
    },
  });
  const followed = follow(store.configurations);
  followed.start();
  const collecting = (collects ? startCollecting : followAllowlist)({ assignment, store, followed, logger, env, print });
  send({ hasBegun: true });
  return {
    stop: async () => {
      followed.stop();
      await collecting?.stop();
      await store.close();
    },
  };
}
