export { openMemoryStore, type OpenMemoryStore } from './open-memory-store.js';
export { DEFAULT_RETENTION_MS, type LoadMonitor, type MemoryStoreOptions } from './memory-store.js';
export type { LogChange, LogEntry, RecordLog } from './log/record-log.js';
export { checkWritableFolder as checkStoreFolder, requireStore } from './log/folder-check.js';
export { LevelRecordLog } from './log/level-record-log.js';
export { StoreFolderError, type StoreFolderProblem } from './log/store-folder-error.js';
