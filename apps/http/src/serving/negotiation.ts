import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';

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

interface WithAccept {
  readonly accept?: string | undefined;
}

const HTML = 'text/html';
const JSON_TYPE = 'application/json';

/** Whether a client prefers JSON to HTML. One that takes anything, as programs that preview links do, gets HTML. */
export function prefersJson(headers: WithAccept): boolean {
  const { accept } = headers;
  return accept?.includes('json') === true && wanted(accept) === JSON_TYPE;
}

/** Whether a client names HTML, as browsers do. */
export function asksForHtml(headers: WithAccept): boolean {
  const { accept } = headers;
  return accept?.includes('html') === true && wanted(accept) === HTML;
}

const RANGES: Readonly<Record<string, readonly string[]>> = { [HTML]: [HTML, 'text/*', '*/*'], [JSON_TYPE]: [JSON_TYPE, 'application/*', '*/*'] };

/** The type of the higher quality; of equal ones, the first one that is named. `null` if neither is acceptable. */
function wanted(accept: string): string | null {
  const entries = acceptedValues(accept);
  const first = entries.find(({ value }) => value in RANGES)?.value;
  const types = first === JSON_TYPE ? [JSON_TYPE, HTML] : [HTML, JSON_TYPE];
  let best: { readonly type: string | null; readonly quality: number } = { type: null, quality: 0 };
  for (const type of types) {
    const quality = entryFor(entries, RANGES[type] ?? [])?.quality ?? 0;
    if (quality > best.quality) best = { type, quality };
  }
  return best.type;
}

/** One entry of a header such as `Accept` or `Accept-Encoding`. */
interface Entry {
  readonly value: string;
  /** 0 to 1; 0 means not acceptable. */
  readonly quality: number;
}

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The entries of a header of weighted values (RFC 9110, 12.4.2), in lower case and in their order. An entry with an invalid weight is not acceptable. */
function acceptedValues(header: string): readonly Entry[] {
  return header.split(',').flatMap((text) => {
    const [value = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return value === '' ? [] : [{ value, quality: QUALITY.test(weight) ? Number(weight) : 0 }];
  });
}

/** The entry that counts for a value: the first of its patterns that the header has. @param patterns most specific first */
function entryFor(entries: readonly Entry[], patterns: readonly string[]): Entry | undefined {
  for (const pattern of patterns) {
    const found = entries.find(({ value }) => value === pattern);
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * A copy that takes no more memory than its length. `Buffer.from` and the compression of Node return parts of a larger buffer, which would stay in memory as
 * long as the part.
 */
export function ownBuffer(content: string | Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
  if (typeof content === 'string') own.write(content);
  else content.copy(own);
  return own;
}
