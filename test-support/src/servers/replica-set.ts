import { MongoClient, type Document } from 'mongodb';
import { setTimeout as sleep } from 'node:timers/promises';
import { MongodProcess } from './mongod-process.ts';

const NAME = 'vitrine';
const WAIT_MS = 60_000;
/** Each check needs connections, and an election takes seconds. */
const LOOK_EVERY_MS = 200;
/** For a member that may be killed or frozen: it is asked again. */
const BRIEF_MS = 500;
/** For one that runs, on a busy machine. */
const PATIENT_MS = 30_000;

/** Short elections. A majority acknowledges from memory, because these data need not survive a power failure. */
const SETTINGS = { electionTimeoutMillis: 2_000, heartbeatIntervalMillis: 200, heartbeatTimeoutSecs: 2, catchUpTimeoutMillis: 1_000 };

/** Our own replica set on loopback. Its members are processes that can be killed, frozen and restarted. */
export class ReplicaSet {
  readonly members: readonly MongodProcess[];

  private constructor(members: readonly MongodProcess[]) {
    this.members = members;
  }

  /** Resolves when there is a primary and every other member follows it. @param extra more arguments of mongod */
  static async start(binary: string, size: number, extra: readonly string[] = []): Promise<ReplicaSet> {
    const starts = await Promise.allSettled(
      Array.from({ length: size }, () => MongodProcess.start(binary, ['--replSet', NAME, '--oplogSize', '64', ...extra])),
    );
    const set = new ReplicaSet(starts.filter((start) => start.status === 'fulfilled').map(({ value }) => value));
    try {
      for (const start of starts) if (start.status === 'rejected') throw start.reason;
      await set.#initiate();
      return set;
    } catch (error) {
      await set.stop();
      throw error;
    }
  }

  /** The connection string of the whole set. */
  get uri(): string {
    return `mongodb://${this.members.map(({ address }) => address).join(',')}/?replicaSet=${NAME}`;
  }

  /** The primary. Waits until there is one that runs. */
  async primary(): Promise<MongodProcess> {
    return this.#eventually('a primary', async () => {
      const states = await Promise.all(this.members.map((member) => this.#isPrimary(member)));
      return this.members[states.indexOf(true)];
    });
  }

  /** All members except the current primary, including those that were killed. */
  async secondaries(): Promise<readonly MongodProcess[]> {
    const primary = await this.primary();
    return this.members.filter((member) => member !== primary);
  }

  /** Makes the primary step down for at least three seconds. Resolves when another member is primary. */
  async stepDown(): Promise<void> {
    const before = await this.primary();
    await this.#ask(before, { replSetStepDown: 3, secondaryCatchUpPeriodSecs: 2 });
    await this.#eventually('another primary', async () => ((await this.primary()) === before ? undefined : true));
  }

  /** Resolves when every member is primary or secondary, after a start or a restart. */
  async healthy(): Promise<void> {
    await this.#eventually('all members', async () => {
      const status = await this.#ask(await this.primary(), { replSetGetStatus: 1 });
      const states = (status['members'] as readonly Document[]).map((member) => member['stateStr'] as string);
      return states.every((state) => state === 'PRIMARY' || state === 'SECONDARY') ? true : undefined;
    });
  }

  async stop(): Promise<void> {
    await Promise.all(this.members.map((member) => member.stop()));
  }

  async #initiate(): Promise<void> {
    const [first] = this.members;
    if (first === undefined) throw new Error('a replica set has at least one member');
    const members = this.members.map(({ address }, index) => ({ _id: index, host: address }));
    await this.#ask(first, { replSetInitiate: { _id: NAME, version: 1, writeConcernMajorityJournalDefault: false, members, settings: SETTINGS } });
    await this.healthy();
  }

  async #isPrimary(member: MongodProcess): Promise<boolean> {
    const hello: Document | null = await this.#ask(member, { hello: 1 }, BRIEF_MS).catch(() => null);
    return hello?.['isWritablePrimary'] === true;
  }

  /** Opens a new connection for each command, because members start and stop. */
  async #ask(member: MongodProcess, command: Document, withinMs = PATIENT_MS): Promise<Document> {
    const client = new MongoClient(member.uri, { serverSelectionTimeoutMS: withinMs, connectTimeoutMS: withinMs, socketTimeoutMS: PATIENT_MS });
    try {
      return await client.db('admin').command(command);
    } finally {
      await client.close();
    }
  }

  async #eventually<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const end = Date.now() + WAIT_MS;
    while (Date.now() < end) {
      const found = await look();
      if (found !== undefined) return found;
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`the replica set does not have ${what} after ${WAIT_MS} ms`);
  }
}
