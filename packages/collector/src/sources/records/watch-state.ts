import { SYNCED_KINDS } from '@vitrine/core';
import { z } from 'zod';

/** The state that a records source keeps between its runs. */
const schema = z.object({
  /** A hash of the approved refs with which the files were read. */
  allowlist: z.string(),
  /** The version of each file at its last import. */
  files: z.record(z.string(), z.string()),
  feeds: z.array(z.enum(SYNCED_KINDS)),
});

export type WatchState = z.output<typeof schema>;

/** An invalid state counts as empty: everything is imported again, which does not change records that are already stored. */
export function parseWatchState(text: string | null): WatchState {
  try {
    return schema.parse(JSON.parse(text ?? ''));
  } catch {
    return { allowlist: '', files: {}, feeds: [] };
  }
}
