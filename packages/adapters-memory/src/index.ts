export { openMemoryStore, type OpenMemoryStore } from './open-memory-store.js';
