import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { acceptedValues, entryFor } from './accepted-values.js';
import { ownBuffer } from './own-buffer.js';

export type Compression = 'br' | 'gzip';
export type Coding = Compression | 'identity';

const COMPRESSED = ['br', 'gzip'] as const;
const IDENTITY = 'identity';

/** Shorter bodies are sent as they are. */
const MIN_BYTES = 1_024;
/** Longer bodies are compressed in the thread pool, so that other requests do not wait. */
const MAX_BYTES_AT_ONCE = 64 * 1_024;

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const GZIP = { level: 6 };

/** Clients send few different headers, and to read one takes longer than to look it up. */
const known = new LRUCache<string, Coding>({ max: 100 });

/**
 * The coding in which a body of this length is sent to a client with this `Accept-Encoding`. If the client accepts none, it is `identity`: the standard
 * allows that, and nothing here answers with 406.
 */
export function codingFor(accepted: string | undefined, bytes: number): Coding {
  if (accepted === undefined || bytes < MIN_BYTES) return IDENTITY;
  let coding = known.get(accepted);
  if (coding === undefined) {
    coding = preferred(accepted);
    known.set(accepted, coding);
  }
  return coding;
}

/** The acceptable coding of the highest quality; of several, the smallest body. A client that does not name `identity` takes it only if nothing else is left. */
function preferred(accepted: string): Coding {
  const entries = acceptedValues(accepted);
  const qualityOf = (coding: Coding): number => entryFor(entries, [coding, '*'])?.quality ?? 0;
  let best: Coding = IDENTITY;
  for (const coding of [...COMPRESSED].reverse()) if (qualityOf(coding) > 0 && qualityOf(coding) >= qualityOf(best)) best = coding;
  return best;
}

const pooledBrotli = promisify(brotliCompress);
const pooledGzip = promisify(gzip);

/** The compressed body: at once for a short one, later for a long one. It keeps no more memory than its length. */
export function compressed(coding: Compression, body: Buffer): Buffer | Promise<Buffer> {
  if (body.length > MAX_BYTES_AT_ONCE) return (coding === 'br' ? pooledBrotli(body, BROTLI) : pooledGzip(body, GZIP)).then(ownBuffer);
  return ownBuffer(coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP));
}
