export type { MemoryStoreOptions } from './memory-store.js';
export { openMemoryStore, type OpenMemoryStore } from './open-memory-store.js';
