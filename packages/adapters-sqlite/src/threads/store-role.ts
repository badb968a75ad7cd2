/** What a thread of a store does: `writer` runs all writes in their order, `reader` the reads that take more than a few milliseconds. */
export type StoreRole = 'writer' | 'reader';
