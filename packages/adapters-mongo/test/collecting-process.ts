import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import { MongoClient, type CommandFailedEvent, type CommandStartedEvent, type CommandSucceededEvent } from 'mongodb';
import { LostLeaseError } from '@vitrine/core';
import { NOW } from '@vitrine/core/testing';
import { acquireLease, createMongoWriters, reindexStore, type DatabaseLease, type MongoWriters } from '../src/index.js';
import { after, collect, LASTS_MS, REPEATED, type CollectingOptions } from './support/collected.js';

const CHANGING: ReadonlySet<string> = new Set(['insert', 'update', 'delete', 'findAndModify', 'commitTransaction']);
const LOST = 4;

const context = { signal: new AbortController().signal };

/** Pauses its own process at a given write command and prints that. It also prints the name and collection of all other write commands. */
class StopAt {
  readonly #options: CollectingOptions;
  #count = 0;
  #request: number | null = null;
  isOn = false;

  constructor(options: CollectingOptions) {
    this.#options = options;
  }

  started({ commandName, command, requestId }: CommandStartedEvent): void {
    if (this.isOn && commandName === 'abortTransaction') tell(REPEATED);
    const collection: unknown = command[commandName];
    const isRenewal = collection === 'leases' && command['autocommit'] === undefined;
    if (!this.isOn || !CHANGING.has(commandName) || isRenewal) return;
    tell(typeof collection === 'string' ? `${commandName} ${collection}` : commandName);
    if (this.#count === this.#options.stopAt) this.#stopAt(requestId);
    this.#count += 1;
  }

  /** The driver repeats a transaction that was aborted, or whose commit failed. */
  failed({ commandName }: Pick<CommandFailedEvent, 'commandName'>): void {
    if (this.isOn && commandName === 'commitTransaction') tell(REPEATED);
  }

  succeeded({ requestId }: CommandSucceededEvent): void {
    if (requestId === this.#request) stop();
  }

  #stopAt(requestId: number): void {
    if (this.#options.moment === 'before') stop();
    // At that time the command was sent, and no response was read yet.
    else if (this.#options.moment === 'during') setImmediate(stop);
    else this.#request = requestId;
  }
}

function stop(): void {
  tell('stopped');
  process.kill(process.pid, 'SIGSTOP');
}

function tell(line: string): void {
  writeSync(1, `${line}\n`);
}

/** Collects while it has the lease. When it has lost the lease, it tries once more, like a source that does not know. */
async function main(options: CollectingOptions): Promise<number> {
  const stopAt = new StopAt(options);
  const client = await new MongoClient(options.uri, { monitorCommands: true }).connect();
  client.on('commandStarted', (event) => {
    stopAt.started(event);
  });
  client.on('commandSucceeded', (event) => {
    stopAt.succeeded(event);
  });
  client.on('commandFailed', (event) => {
    stopAt.failed(event);
  });
  const db = client.db(options.database);
  const clock = { now: () => NOW };
  const lease = await acquireLease(db, { holder: options.holder, lastsMs: LASTS_MS, ...context });
  const writers = createMongoWriters(db, { clock, lease });
  stopAt.isOn = true;
  try {
    if (options.work === 'reindex') await reindexStore(db, { clock, lease, ...context, onProgress: () => undefined });
    else await collect(writers.writer, options.work, context);
    await writers.settled();
    if (lease.lost.aborted) throw new LostLeaseError();
    return 0;
  } catch (error) {
    if (!lease.lost.aborted) throw error;
    await writers.settled();
    await triesAgain(writers, lease);
    return LOST;
  } finally {
    stopAt.isOn = false;
    await lease.release();
    await client.close();
  }
}

async function triesAgain({ writer }: MongoWriters, lease: DatabaseLease): Promise<void> {
  const refused = await writer.put([after], context).catch((error: unknown) => error);
  if (!(refused instanceof LostLeaseError)) throw new Error('it was stored after the turn was over', { cause: refused });
  const other = await lease.commit(() => Promise.resolve('done')).catch((error: unknown) => error);
  if (!(other instanceof LostLeaseError)) throw new Error('a commit took place after the turn was over');
}

main(JSON.parse(process.argv[2] ?? '') as CollectingOptions).then(
  (code) => process.exit(code),
  (error: unknown) => {
    process.stderr.write(`${inspect(error)}\n`);
    process.exit(1);
  },
);
