import { SECOND, type Instant } from '@vitrine/core';
import { SourceError } from '../running/source.js';
import { errorCodeOf } from '@vitrine/config/internal';
import { PrivateAddressError } from './guarded-lookup.js';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, unzip, type BrotliOptions, type ZlibOptions } from 'node:zlib';

/** Why a request failed. The set is closed, except for the number of the status. */
export type OutgoingReason =
  | `http ${number}`
  | 'timeout'
  | 'refused'
  | 'dns'
  | 'tls'
  | 'unreachable'
  | 'private address'
  | 'private redirect'
  | 'redirect'
  | 'too large'
  | 'encoding';

/** A request that got no usable response. The message names the address without credentials and without its query, which may contain a token. */
export class OutgoingError extends SourceError {
  constructor(
    url: URL,
    readonly reason: OutgoingReason,
    detail: string,
    retryAfterMs: number | null = null,
  ) {
    super(`${reason}: ${url.href} ${detail}`, reason.toUpperCase().replace(/ /g, '_'), retryAfterMs);
  }
}

/** Of OpenSSL and of Node. `UNSPECIFIED` is each fault of a certificate that has no other code. */
const TLS =
  /^(?:CERT_\w+|CRL_\w+|ERROR_IN_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|UNABLE_TO_\w+|\w*SELF_SIGNED\w*|INVALID_\w+|PATH_LENGTH_EXCEEDED|HOSTNAME_MISMATCH|UNSPECIFIED)$/;

const REASONS: readonly (readonly [RegExp, OutgoingReason, string])[] = [
  [/^(?:ENOTFOUND|EAI_\w+|ENODATA)$/, 'dns', 'has a host name that cannot be resolved'],
  [/^ECONNREFUSED$/, 'refused', 'refused the connection'],
  [/^ETIMEDOUT$/, 'timeout', 'did not accept the connection in time'],
  [TLS, 'tls', 'cannot be reached over TLS'],
  [/^(?:Z|ERR_|ERR_BROTLI)_\w+$/, 'encoding', 'sent a body that does not match its Content-Encoding'],
];

/** The failure behind an error of `node:http`, `node:tls` or `node:zlib`. @param isRedirected whether a redirect has led to the address */
export function failureOf(error: unknown, url: URL, isRedirected: boolean): OutgoingError {
  if (error instanceof OutgoingError) return error;
  if (error instanceof PrivateAddressError) return privateAddress(url, isRedirected);
  const code = errorCodeOf(error) ?? 'unknown error';
  const [, reason, detail] = REASONS.find(([pattern]) => pattern.test(code)) ?? [
    null,
    'unreachable' as const,
    'closed the connection or broke the protocol',
  ];
  return new OutgoingError(url, reason, `${detail} (${code})`);
}

function privateAddress(url: URL, isRedirected: boolean): OutgoingError {
  if (!isRedirected) return new OutgoingError(url, 'private address', 'is in a private network. If you trust this address, add allowPrivate: true');
  const remedy = 'allowPrivate allows the configured host only. If you trust the new address, configure it instead';
  return new OutgoingError(url, 'private redirect', `is in a private network, and a redirect leads there; ${remedy}`);
}

/** How long a `Retry-After` header asks to wait, in milliseconds; `null` if there is none, or if it is malformed or in the past. */
export function retryAfterMs(header: string | undefined, now: Instant): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * SECOND : Date.parse(text) - now;
  return wait > 0 ? wait : null;
}

type Decode = (body: Buffer, options: ZlibOptions & BrotliOptions) => Promise<Buffer>;

const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['', (body) => Promise.resolve(body)],
  ['identity', (body) => Promise.resolve(body)],
  ['gzip', promisify(unzip)],
  ['x-gzip', promisify(unzip)],
  ['deflate', promisify(unzip)],
  ['br', promisify(brotliDecompress)],
]);

/** The headers of a response to HEAD, and of 204 and 304, may name the encoding of a body that is not sent. */
function decoderOf({ headers }: IncomingMessage, size: number, url: URL): Decode {
  const decode = DECODERS.get(size === 0 ? '' : (headers['content-encoding']?.trim().toLowerCase() ?? ''));
  if (decode === undefined) throw new OutgoingError(url, 'encoding', 'uses a Content-Encoding that Vitrine did not ask for');
  return decode;
}

/** The decoded body. Neither the transferred nor the decoded bytes may exceed the limit. Throws an {@link OutgoingError}, and errors of streams and of zlib. */
export async function readBody(response: IncomingMessage, url: URL, maxBytes: number): Promise<Buffer> {
  const tooLarge = () => new OutgoingError(url, 'too large', `is larger than ${String(maxBytes)} bytes`);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  const decode = decoderOf(response, size, url);
  try {
    return await decode(Buffer.concat(chunks), { maxOutputLength: maxBytes });
  } catch (error) {
    throw errorCodeOf(error) === 'ERR_BUFFER_TOO_LARGE' ? tooLarge() : error;
  }
}
