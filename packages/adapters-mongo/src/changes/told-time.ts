import { Timestamp, type ClientSession, type MongoClient } from 'mongodb';

/** The time of the newest change that a feed has told, in the clock of the database. Reads that come after it see the change on every member. */
export class ToldTime {
  #time: Timestamp | null = null;

  /** @param time of a change, or of the position of a stream; ignored if it is no time */
  advance(time: unknown): void {
    if (time instanceof Timestamp && (this.#time === null || time.greaterThan(this.#time))) this.#time = time;
  }

  /** Runs reads within a session that waits for the told changes. Without any, there is no session. */
  async run<Result>(client: MongoClient, read: (options: { readonly session?: ClientSession }) => Promise<Result>): Promise<Result> {
    const time = this.#time;
    if (time === null) return read({});
    return client.withSession({ causalConsistency: true }, (session) => {
      session.advanceOperationTime(time);
      return read({ session });
    });
  }
}
