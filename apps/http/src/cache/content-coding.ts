import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';
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
    const available = [...COMPRESSED, IDENTITY];
    const chosen = new Negotiator({ headers: { 'accept-encoding': accepted } }).encoding(available, { preferred: [...COMPRESSED] });
    coding = COMPRESSED.find((compressed) => compressed === chosen) ?? IDENTITY;
    known.set(accepted, coding);
  }
  return coding;
}

const pooledBrotli = promisify(brotliCompress);
const pooledGzip = promisify(gzip);

/** The compressed body: at once for a short one, later for a long one. It keeps no more memory than its length. */
export function compressed(coding: Compression, body: Buffer): Buffer | Promise<Buffer> {
  if (body.length > MAX_BYTES_AT_ONCE) return (coding === 'br' ? pooledBrotli(body, BROTLI) : pooledGzip(body, GZIP)).then(ownBuffer);
  return ownBuffer(coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP));
}
