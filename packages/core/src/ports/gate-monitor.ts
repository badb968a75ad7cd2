import type { RecordKind } from '../domain/record.js';

/** Is notified of records that a reader returned although they are not approved. This is a bug of the reader; no response contains them. */
export interface GateMonitor {
  refused(kind: RecordKind): void;
}
