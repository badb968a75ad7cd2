import { openDatabase } from '../database/open-database.js';
import { requireInPlace, type FileIdentity } from '../folder/file-identity.js';
import { readerHandlers, URGENT_READS } from '../readers/reader-calls.js';
import { CallServer } from './call-server.js';
import type { FromThread } from './messages.js';

/** What a thread needs to know about its store. */
export interface ServedStore {
  readonly file: string;
  /** The files that the store has opened. Their path may name others meanwhile. */
  readonly identity: FileIdentity;
  readonly isTemporary: boolean;
}

/** The pages that the connection keeps in memory, in KiB. */
const CACHE_KIB = 16_384;

/** Opens a separate connection and runs calls on it. */
export function startServing(
  { file, identity, isTemporary }: ServedStore,
  post: (message: FromThread) => void,
  onEnd: () => void,
): CallServer<unknown> {
  requireInPlace(file, identity);
  const database = openDatabase(file, { isTemporary, cacheKiB: CACHE_KIB });
  const handlers = readerHandlers(database, (event) => {
    post({ event });
  });
  const end = (): void => {
    database.close();
    onEnd();
  };
  return new CallServer(handlers, post, end, URGENT_READS);
}
