import { Collections } from '../../src/collections.js';

/** Collections in which reading blocks of search segments waits for a gate. Only merges and searches read blocks; a put does not. */
export class GatedCollections extends Collections {
  /** Awaited before each read of blocks. If it rejects, the read rejects. */
  gate: () => Promise<void> = () => Promise.resolve();

  override writable(name: Parameters<Collections['writable']>[0]): ReturnType<Collections['writable']> {
    const original = super.writable(name);
    if (name !== 'search_blocks') return original;
    return new Proxy(original, {
      get: (collection, property) => {
        const value: unknown = Reflect.get(collection, property, collection);
        if (typeof value !== 'function') return value;
        return (...given: unknown[]): unknown => {
          const result: unknown = value.apply(collection, given);
          return property === 'find' ? this.#waiting(result as ReturnType<typeof collection.find>) : result;
        };
      },
    });
  }

  #waiting<Cursor extends { toArray: () => Promise<unknown> }>(cursor: Cursor): Pick<Cursor, 'toArray'> {
    return {
      toArray: async () => {
        await this.gate();
        return cursor.toArray();
      },
    };
  }
}
