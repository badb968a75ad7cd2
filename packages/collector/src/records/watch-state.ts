import { SYNCED_KINDS } from '@vitrine/core';
import { z } from 'zod';

/** What a watched records source remembers between its runs. */
const schema = z.object({
  /** A hash of the approved refs that the files were read against. */
  allowlist: z.string(),
  /** How each file looked when it was last taken. */
  files: z.record(z.string(), z.string()),
  feeds: z.array(z.enum(SYNCED_KINDS)),
});

export type WatchState = z.output<typeof schema>;

/** A state that cannot be read is none: everything is taken again, which changes nothing that is stored already. */
export function parseWatchState(text: string | null): WatchState {
  try {
    return schema.parse(JSON.parse(text ?? ''));
  } catch {
    return { allowlist: '', files: {}, feeds: [] };
  }
}
