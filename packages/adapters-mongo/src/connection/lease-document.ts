import { MongoServerError, type ClientSession, type Collection, type Db, type Document } from 'mongodb';
import { Collections } from '../collections.js';
import type { StoredDocument } from '../documents/codec.js';

const [DUPLICATE_KEY, TOOK_TOO_LONG] = [11_000, 50];
/** The only lease of a store. Its holder may write. */
const NAME = 'writer';
/** Shorter than the time-out of the client. An operation takes this long only while a transaction locks the document. */
const LONGEST_ASKING_MS = 1_000;

/** One turn of a holder. Each turn has a greater term than the turns before. */
export interface Turn {
  readonly holder: string;
  readonly term: number;
}

/** The stored document of a lease. All times are those of the server, so different clocks do no harm. */
export class LeaseDocument {
  readonly #leases: Collection<StoredDocument>;

  constructor(
    private readonly db: Db,
    private readonly lastsMs: number,
  ) {
    this.#leases = new Collections(db).writable('leases');
  }

  /** Starts a turn if the lease is free, expired or this holder's own, and resolves with the current turn, of any holder. Aborts a transaction of an expired turn that locks the document. */
  async take(holder: string, session: ClientSession): Promise<Turn> {
    const us = { $literal: holder };
    const isFree = { $or: [{ $eq: ['$holder', us] }, { $lte: [{ $ifNull: ['$expiresAt', '$$NOW'] }, '$$NOW'] }] };
    // The time makes the term greater than all earlier ones, even if the document was removed in between.
    const term = { $max: [{ $add: [{ $ifNull: ['$term', 0] }, 1] }, { $toLong: '$$NOW' }] };
    const taken = { holder: us, term, session: { $literal: session.id?.id ?? null }, writes: 0, expiresAt: this.#end() };
    const change = Object.fromEntries(Object.entries(taken).map(([field, value]) => [field, { $cond: [isFree, value, `$${field}`] }]));
    try {
      const options = { upsert: true, returnDocument: 'after', maxTimeMS: LONGEST_ASKING_MS } as const;
      return turnOf(await this.#leases.findOneAndUpdate({ _id: NAME }, [{ $set: change }], options));
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
      // If two processes insert the lease at the same moment, the server rejects the second insert.
      if (error.code === DUPLICATE_KEY) return this.take(holder, session);
      if (error.code !== TOOK_TOO_LONG) throw error;
      await this.#abortForgotten();
      // A transaction of its holder keeps the document locked, so the name cannot be read.
      return { holder: 'Another process', term: 0 };
    }
  }

  /** Resolves with whether the turn continues. */
  async renew(turn: Turn): Promise<boolean> {
    const change = [{ $set: { expiresAt: this.#end() } }];
    return (await this.#leases.updateOne(this.#of(turn), change, { maxTimeMS: LONGEST_ASKING_MS })).matchedCount === 1;
  }

  /** Renews the turn if the transaction of the session succeeds. It conflicts with the start of the next turn, and only one succeeds. Resolves with whether the turn continues. */
  async confirm(turn: Turn, session: ClientSession): Promise<boolean> {
    const change = [{ $set: { writes: { $add: ['$writes', 1] }, expiresAt: this.#end() } }];
    return (await this.#leases.updateOne(this.#of(turn), change, { session })).matchedCount === 1;
  }

  async remove(turn: Turn): Promise<void> {
    await this.#leases.deleteOne(this.#of(turn));
  }

  /** Aborts a transaction that an expired holder left open. Otherwise, or if this user may not do that, others wait for a minute until the server aborts it. */
  async #abortForgotten(): Promise<void> {
    const isOver = { $expr: { $lte: ['$expiresAt', '$$NOW'] } };
    const found = await this.#leases.findOne<Document>({ _id: NAME, ...isOver }, { readPreference: 'primary' });
    const id: unknown = found?.['session'];
    if (id == null) return;
    try {
      await this.db.command({ killSessions: [{ id }] }, { readPreference: 'primary' });
    } catch (error) {
      if (!(error instanceof MongoServerError)) throw error;
    }
  }

  #of({ holder, term }: Turn) {
    return { _id: NAME, holder, term };
  }

  #end(): Document {
    return { $dateAdd: { startDate: '$$NOW', unit: 'millisecond', amount: this.lastsMs } };
  }
}

function turnOf(document: Document | null): Turn {
  const { holder, term } = document ?? {};
  return { holder: typeof holder === 'string' ? holder : '', term: typeof term === 'number' ? term : 0 };
}
