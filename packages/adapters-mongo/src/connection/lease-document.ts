import { MongoServerError, type ClientSession, type Collection, type Db, type Document } from 'mongodb';
import { Collections } from '../collections.js';
import type { StoredDocument } from '../documents/document-spec.js';

const [DUPLICATE_KEY, TOOK_TOO_LONG] = [11_000, 50];
/** Less than what a client waits for an answer. Asking takes this long only when a transaction holds the document. */
const LONGEST_ASKING_MS = 1_000;

/** One turn of a holder. No two turns have the same term, and each has a greater one than the turn before. */
export interface Turn {
  readonly holder: string;
  readonly term: number;
}

/** The document that says whose turn it is to write. Time is the server's, so that clocks that differ do no harm. */
export class LeaseDocument {
  readonly #db: Db;
  readonly #leases: Collection<StoredDocument>;
  readonly #name: string;
  readonly #lastsMs: number;

  constructor(db: Db, name: string, lastsMs: number) {
    this.#db = db;
    this.#leases = new Collections(db).writable('leases');
    this.#name = name;
    this.#lastsMs = lastsMs;
  }

  /**
   * Begins a turn when the lease is free, over, or the same holder's. Resolves with whose turn it is then; `null` when that cannot be told, because
   * a transaction of a turn that is over is still open.
   *
   * @param session in which the holder writes
   */
  async take(holder: string, session: ClientSession | null): Promise<Turn | null> {
    const us = { $literal: holder };
    const isFree = { $or: [{ $eq: ['$holder', us] }, { $lte: [{ $ifNull: ['$expiresAt', '$$NOW'] }, '$$NOW'] }] };
    // Also greater than the terms before, when the document was removed in between.
    const term = { $max: [{ $add: [{ $ifNull: ['$term', 0] }, 1] }, { $toLong: '$$NOW' }] };
    const taken = { holder: us, term, session: { $literal: session?.id?.id ?? null }, writes: 0, expiresAt: this.#end() };
    const change = Object.fromEntries(Object.entries(taken).map(([field, value]) => [field, { $cond: [isFree, value, `$${field}`] }]));
    try {
      const options = { upsert: true, returnDocument: 'after', maxTimeMS: LONGEST_ASKING_MS } as const;
      return turnOf(await this.#leases.findOneAndUpdate({ _id: this.#name }, [{ $set: change }], options));
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      // Two that find no lease at the same moment both add one; the server refuses the second.
      if (error.code === DUPLICATE_KEY) return this.take(holder, session);
      if (error.code === TOOK_TOO_LONG) return null;
      throw error;
    }
  }

  /** Resolves with whether the turn goes on. */
  async renew(turn: Turn): Promise<boolean> {
    const change = [{ $set: { expiresAt: this.#end() } }];
    return (await this.#leases.updateOne(this.#of(turn), change, { maxTimeMS: LONGEST_ASKING_MS })).matchedCount === 1;
  }

  /** Resolves with whether the turn goes on. It changes the document, so that of a transaction of this turn and the beginning of the next only one takes place. */
  async confirm(turn: Turn, session: ClientSession | null): Promise<boolean> {
    const change: Document = { $inc: { writes: 1 } };
    return (await this.#leases.updateOne(this.#of(turn), change, session === null ? {} : { session })).matchedCount === 1;
  }

  /** Aborts what a holder whose turn is over has begun to write, who would keep others waiting until the server does that, after a minute. */
  async abortForgotten(): Promise<void> {
    const isOver = { $expr: { $lte: ['$expiresAt', '$$NOW'] } };
    const found = await this.#leases.findOne<Document>({ _id: this.#name, ...isOver }, { readPreference: 'primary' });
    const session: unknown = found?.['session'];
    // Of another user's session the server does not even tell that it is there.
    if (session != null) await this.#db.command({ killSessions: [{ id: session }] }, { readPreference: 'primary' });
  }

  async remove(turn: Turn): Promise<void> {
    await this.#leases.deleteOne(this.#of(turn));
  }

  #of({ holder, term }: Turn) {
    return { _id: this.#name, holder, term };
  }

  #end(): Document {
    return { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: this.#lastsMs } };
  }
}

function turnOf(document: Document | null): Turn {
  const { holder, term } = document ?? {};
  return { holder: typeof holder === 'string' ? holder : '', term: typeof term === 'number' ? term : 0 };
}
