import { type RecordIdentity, type StoredRecord, keyOfIdentity } from '../kinds/identity.js';
import { startOfDay } from '../kinds/instant.js';
import type { FeedChange, FeedPosition, StoreChange } from '../ports/changes.js';
import type { ReadContext } from '../ports/readers.js';
import type { RecordStore } from '../ports/store.js';
import { someNews } from './content-builders.js';
import { assert, assertSame } from './contract.js';

/** How long a case waits for a change that must come, in milliseconds. */
export const LONG_MS = 20_000;

/** What the ids of the records begin with that a {@link FeedFollower} writes. */
const MARK = 'mark_';
let marks = 0;

export function isMark(record: StoredRecord): boolean {
  return record.kind === 'news' && record.id.startsWith(MARK);
}

type FollowedStore = Pick<RecordStore, 'writer' | 'changeFeed'>;

/** Reads the feed of a store from one position to the next. */
export class FeedFollower {
  readonly #store: FollowedStore;
  readonly #context: ReadContext;
  position: FeedPosition = '';

  private constructor(store: FollowedStore, context: ReadContext) {
    this.#store = store;
    this.#context = context;
  }

  static async start(store: FollowedStore, context: ReadContext): Promise<FeedFollower> {
    const follower = new FeedFollower(store, context);
    const { isTooOld, changes, position } = await follower.ask(null, 10, LONG_MS);
    assertSame([isTooOld, changes], [true, []], 'the answer without a position');
    follower.position = position;
    return follower;
  }

  ask(position: FeedPosition | null, limit: number, waitMs: number) {
    return this.#store.changeFeed.changesSince(position, { limit, waitMs }, this.#context);
  }

  /** Everything up to a write that this makes: stores may tell of a write a moment after it. */
  async next(limit = 1_000): Promise<readonly FeedChange[]> {
    const [mark, all] = [`${MARK}${String(marks++)}`, [] as FeedChange[]];
    await this.#store.writer.put([someNews({ id: mark })], this.#context);
    for (;;) {
      const { isTooOld, changes, position } = await this.ask(this.position, limit, LONG_MS);
      assert(!isTooOld, `expected changes, found that ${this.position} is too old`);
      assert(changes.length > 0 && changes.length <= limit, `expected 1 to ${String(limit)} changes, found ${String(changes.length)}`);
      this.position = position;
      all.push(...changes);
      if (changes.at(-1)?.key === mark) return all.slice(0, -1);
    }
  }

  /** What {@link next} says, each change once, in the order of the alphabet. */
  async names(): Promise<readonly string[]> {
    return [...new Set((await this.next()).map(nameOfChange))].sort();
  }
}

/** A text for comparisons. */
function nameOfChange({ operation, kind, key, serviceKey, day, sync }: StoreChange): string {
  const of = key ?? (serviceKey === null ? 'several' : `${serviceKey} ${String(day)}`);
  return `${operation} ${kind} ${of}${sync?.onlyAttempts === true ? ' only attempts' : ''}`;
}

/** The name of the change that concerns a record. */
export function changeOf(operation: StoreChange['operation'], record: StoredRecord): string {
  if (record.kind === 'check') return `${operation} check ${record.serviceKey} ${String(startOfDay(record.checkedAt))}`;
  if (record.kind === 'status-day') return `${operation} status-day ${record.serviceKey} ${String(record.day)}`;
  return `${operation} ${record.kind} ${keyOfIdentity(record)}`;
}

export function identityOf(record: StoredRecord): RecordIdentity {
  if (record.kind === 'check') return { kind: 'check', serviceKey: record.serviceKey, checkedAt: record.checkedAt, source: record.provenance.source };
  return record;
}
