import { openDatabase } from '../database/open-database.js';
import { requireInPlace, type FileIdentity } from '../folder/file-identity.js';
import { readerHandlers, URGENT_READS } from '../readers/reader-calls.js';
import { StoreWriter } from '../writing/store-writer.js';
import { CallServer } from './call-server.js';
import type { FromThread } from './messages.js';
import type { StoreRole } from './store-role.js';

/** What a thread needs to know about its store. */
export interface ServedStore {
  readonly file: string;
  /** The files that the store has opened. Their path may name others meanwhile. */
  readonly identity: FileIdentity;
  readonly isTemporary: boolean;
  /** How long raw checks are kept, in milliseconds. */
  readonly retentionMs: number;
}

/** The pages that a connection keeps in memory, in KiB. */
const CACHE_KIB = { writer: 32_768, reader: 16_384 } as const;

/** Opens a connection of its own and runs calls on it. */
export function startServing(role: StoreRole, options: ServedStore, post: (message: FromThread) => void, onEnd: () => void): CallServer<unknown> {
  const { file, identity, isTemporary } = options;
  const open = () => {
    requireInPlace(file, identity);
    return openDatabase(file, { isTemporary, cacheKiB: CACHE_KIB[role] });
  };
  const send = (event: Extract<FromThread, { readonly event: unknown }>['event']): void => {
    post({ event });
  };
  if (role === 'writer') {
    const writer = new StoreWriter(open, options, send);
    return new CallServer(writer.handlers(), post, () => {
      writer.close();
      onEnd();
    });
  }
  const database = open();
  const end = (): void => {
    database.close();
    onEnd();
  };
  return new CallServer(readerHandlers(database, send), post, end, URGENT_READS);
}
