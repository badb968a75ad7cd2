import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, brotliCompressSync, constants, gzip, gzipSync } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import Negotiator from 'negotiator';

export interface AnswerParts {
  readonly type: string;
  readonly text: string | Buffer;
  readonly cacheControl: string;
  /** The whole value of the `Link` header. */
  readonly link: string;
  /** `null`: the answer cannot be revalidated. */
  readonly etag: string | null;
  /** The request headers on which it depends, beside `Accept-Encoding`. */
  readonly vary?: string;
  readonly policy?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body as it is sent, and the headers of an answer with it. */
export class CodedBody {
  /** All headers of the answer, as alternating names and values. */
  readonly headers: readonly string[];

  constructor(
    readonly coding: Coding,
    readonly bytes: Buffer,
    headers: readonly string[],
  ) {
    const encoding = coding === 'identity' ? [] : ['Content-Encoding', coding];
    this.headers = [...headers, ...encoding, 'Content-Length', String(bytes.length)];
  }
}

const COMPRESSED_ALREADY = /^image\/(?!svg)/;

/** A successful answer, ready to be sent many times. Each coding of its body is made when it is first wanted, and kept. */
export class FinishedAnswer {
  /** Headers of the answer and of a 304, as alternating names and values. */
  readonly validators: readonly string[];
  /** Its own `Content-Security-Policy`; `null` for the one of all answers. */
  readonly policy: string | null;
  readonly body: Buffer;
  readonly #type: string;
  readonly #etag: string | null;
  readonly #plain: CodedBody;
  readonly #compressed = new Map<Compression, CodedBody | Promise<CodedBody>>();
  #bytes: number;
  onGrowth: () => void = () => undefined;

  constructor({ type, text, cacheControl, link, etag, vary, policy, headers = {} }: AnswerParts) {
    this.#type = type;
    this.policy = policy ?? null;
    this.#etag = etag;
    this.validators = [
      'Cache-Control',
      cacheControl,
      'Link',
      link,
      'Vary',
      vary === undefined ? 'Accept-Encoding' : `${vary}, Accept-Encoding`,
      ...(etag === null ? [] : ['ETag', etag]),
      ...Object.entries(headers).flat(),
    ];
    this.body = ownBuffer(text);
    this.#bytes = this.body.length;
    this.#plain = new CodedBody('identity', this.body, this.headers);
  }

  /** All headers of the answer but those of its coding. They are not kept, because each coding has its own copy. */
  get headers(): readonly string[] {
    return ['Content-Type', this.#type, ...this.validators];
  }

  get bytes(): number {
    return this.#bytes;
  }

  isKnownTo({ 'if-none-match': ifNoneMatch }: IncomingHttpHeaders): boolean {
    return matchesTag(ifNoneMatch, this.#etag);
  }

  bodyFor({ 'accept-encoding': accepted }: IncomingHttpHeaders): CodedBody | Promise<CodedBody> {
    const coding = COMPRESSED_ALREADY.test(this.#type) ? IDENTITY : codingFor(accepted, this.body.length);
    return coding === 'identity' ? this.#plain : (this.#compressed.get(coding) ?? this.#compress(coding));
  }

  /** If there is no memory to compress the answer, it is sent uncompressed. The next request tries again. */
  #compress(coding: Compression): CodedBody | Promise<CodedBody> {
    try {
      const made = compressed(coding, this.body);
      if (Buffer.isBuffer(made)) return this.#keep(coding, made);
      const later = made.then(
        (bytes) => this.#keep(coding, bytes),
        () => {
          this.#compressed.delete(coding);
          return this.#plain;
        },
      );
      this.#compressed.set(coding, later);
      return later;
    } catch {
      return this.#plain;
    }
  }

  #keep(coding: Compression, bytes: Buffer): CodedBody {
    const coded = new CodedBody(coding, bytes, this.headers);
    this.#compressed.set(coding, coded);
    this.#bytes += bytes.length;
    this.onGrowth();
    return coded;
  }
}

/** An answer that is the same for the life of the process. */
export function fixedAnswer(parts: Omit<AnswerParts, 'etag'>): FinishedAnswer {
  return new FinishedAnswer({ ...parts, etag: entityTagOf(parts.text.toString('latin1'), false) });
}

const HASH_LENGTH = 22;

/** The times that change with every run of a source, or with every answer. */
const VOLATILE = ['"generatedAt', '"observedAt'] as const;
const VOLATILE_OR_NESTED = [...VOLATILE, '"lastSyncedAt'] as const;
/** The end of these names, and the beginning of their values. To search for it takes a fifth of the time of a regular expression with the whole names. */
const NAME_END = 'dAt":"';
const LETTERS_OF_NAME = 'dAt'.length;

/**
 * A weak entity tag of an answer: a hash of its JSON text without volatile fields.
 *
 * @param isOfRepositories whether the answer's own records are repositories; otherwise a `lastSyncedAt` belongs to a nested repository, and is volatile
 */
export function entityTagOf(text: string, isOfRepositories: boolean): string {
  const lasting = withoutValues(text, isOfRepositories ? VOLATILE : VOLATILE_OR_NESTED);
  return `W/"${hash('sha256', lasting, 'base64url').slice(0, HASH_LENGTH)}"`;
}

/** In JSON, quotation marks inside of strings are escaped, so only names of fields can match. */
function withoutValues(text: string, names: readonly string[]): string {
  let lasting = '';
  let from = 0;
  for (let at = text.indexOf(NAME_END); at >= 0; at = text.indexOf(NAME_END, at + 1)) {
    const end = at + LETTERS_OF_NAME;
    if (!names.some((name) => text.startsWith(name, end - name.length))) continue;
    lasting += text.slice(from, at);
    from = text.indexOf('"', at + NAME_END.length);
  }
  return lasting + text.slice(from);
}

/** Whether an `If-None-Match` names the tag: a list of tags, compared weakly, or `*`. */
export function matchesTag(ifNoneMatch: string | undefined, etag: string | null): boolean {
  if (ifNoneMatch === undefined || ifNoneMatch === '' || etag === null) return false;
  // Other servers' tags may hold commas, but no part of them can be equal to a whole tag of Vitrine.
  return ifNoneMatch === etag || ifNoneMatch === '*' || ifNoneMatch.split(',').some((tag) => strong(tag.trim()) === strong(etag));
}

/** Two tags are equal by weak comparison if their strong forms are. */
function strong(tag: string): string {
  return tag.startsWith('W/') ? tag.slice(2) : tag;
}

export type Compression = 'br' | 'gzip';
export type Coding = Compression | 'identity';

const IDENTITY = 'identity';

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
  const codings: Coding[] = ['br', 'gzip', IDENTITY];
  const [best] = new Negotiator({ headers: { 'accept-encoding': accepted.toLowerCase() } }).encodings(codings, { preferred: codings });
  return codings.find((coding) => coding === best) ?? IDENTITY;
}

const pooledBrotli = promisify(brotliCompress);
const pooledGzip = promisify(gzip);

/** The compressed body: at once for a short one, later for a long one. It keeps no more memory than its length. */
export function compressed(coding: Compression, body: Buffer): Buffer | Promise<Buffer> {
  if (body.length > MAX_BYTES_AT_ONCE) return (coding === 'br' ? pooledBrotli(body, BROTLI) : pooledGzip(body, GZIP)).then(ownBuffer);
  return ownBuffer(coding === 'br' ? brotliCompressSync(body, BROTLI) : gzipSync(body, GZIP));
}

const HTML = 'text/html';
const JSON_TYPE = 'application/json';

/** Whether a client prefers JSON to HTML, or refuses HTML. One that takes anything, as programs that preview links do, gets HTML. */
export function prefersJson({ accept }: Pick<IncomingHttpHeaders, 'accept'>): boolean {
  if (accept === undefined) return false;
  const type = wanted(accept);
  return type === JSON_TYPE || (type === '' && accept.includes(HTML));
}

/** Whether a client names HTML, as browsers do. */
export function asksForHtml({ accept }: Pick<IncomingHttpHeaders, 'accept'>): boolean {
  return accept?.includes('html') === true && wanted(accept) === HTML;
}

const PARAMETERS = /;\s*(?!q=)\w+=[^,;]*/gi;

/** The type of the higher quality; of equal ones, the first one that is named. Empty if neither is acceptable. */
function wanted(accept: string): string {
  return new Negotiator({ headers: { accept: accept.replace(PARAMETERS, '') } }).mediaTypes([HTML, JSON_TYPE])[0] ?? '';
}

/**
 * A copy that takes no more memory than its length. `Buffer.from` and the compression of Node return parts of a larger buffer, which would stay in memory as
 * long as the part.
 */
function ownBuffer(content: string | Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(Buffer.byteLength(content));
  if (typeof content === 'string') own.write(content);
  else content.copy(own);
  return own;
}
