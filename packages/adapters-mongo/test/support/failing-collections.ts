import type { Db } from 'mongodb';
import { Collections } from '../../src/collections.js';

const OPERATIONS: ReadonlySet<PropertyKey> = new Set([
  'aggregate',
  'bulkWrite',
  'deleteMany',
  'deleteOne',
  'find',
  'findOne',
  'findOneAndUpdate',
  'insertMany',
  'updateMany',
  'updateOne',
]);

/** Collections of a process that dies: after a number of operations, all further ones fail. A bulk write can be interrupted in the middle. */
export class FailingCollections extends Collections {
  #left: number;

  constructor(db: Db, operations: number) {
    super(db);
    this.#left = operations;
  }

  override writable(name: Parameters<Collections['writable']>[0]): ReturnType<Collections['writable']> {
    return new Proxy(super.writable(name), {
      get: (collection, property) => {
        const value: unknown = Reflect.get(collection, property, collection);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          if (!OPERATIONS.has(property)) return value.apply(collection, given);
          this.#left -= 1;
          const [writes, ...options] = given;
          if (this.#left === -1 && property === 'bulkWrite' && Array.isArray(writes) && writes.length > 1)
            return value.call(collection, writes.slice(0, writes.length >> 1), ...options).then(() => Promise.reject(new Error('died')));
          if (this.#left < 0) throw new Error('died');
          return value.apply(collection, given);
        };
      },
    });
  }
}
