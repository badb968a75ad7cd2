import type { RecordKind } from '../domain/record.js';

/** Hears of records that a reader returned although the allowlist does not admit them: a bug, and never an answer. */
export interface GateMonitor {
  refused(kind: RecordKind): void;
}
