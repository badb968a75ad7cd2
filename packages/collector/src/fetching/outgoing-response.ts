import { SECOND, type Instant } from '@vitrine/core';
import { SourceError } from '../running/source-error.js';
import { errorCodeOf } from '@vitrine/config/internal';
import { PrivateAddressError } from './guarded-lookup.js';
import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createUnzip } from 'node:zlib';

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

const REASONS: readonly (readonly [RegExp, OutgoingReason, string])[] = [
  [/^(?:ENOTFOUND|EAI_\w+|ENODATA)$/, 'dns', 'has a host name that cannot be resolved'],
  [/^ECONNREFUSED$/, 'refused', 'refused the connection'],
  [/^ETIMEDOUT$/, 'timeout', 'did not accept the connection in time'],
  [/^(?:CERT_\w+|ERR_TLS_\w+|ERR_SSL_\w+|EPROTO|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/, 'tls', 'cannot be reached over TLS'],
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

/** The decoded body. Neither the transferred nor the decoded bytes may exceed the limit. Throws an {@link OutgoingError}, and errors of streams and of zlib. */
export async function readBody(response: IncomingMessage, url: URL, maxBytes: number): Promise<Buffer> {
  const limited = async function* (chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let size = 0;
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw new OutgoingError(url, 'too large', `is larger than ${String(maxBytes)} bytes`);
      yield chunk;
    }
  };
  const transferred: Buffer[] = [];
  await pipeline(response, limited, collectInto(transferred));
  // The headers of a response to HEAD, and of 204 and 304, may name the encoding of a body that is not sent.
  if (transferred.length === 0) return Buffer.alloc(0);
  const decoded: Buffer[] = [];
  await pipeline(transferred, decoderOf(response, url), limited, collectInto(decoded));
  return Buffer.concat(decoded);
}

function collectInto(list: Buffer[]): (chunks: AsyncIterable<Buffer>) => Promise<void> {
  return async (chunks) => {
    for await (const chunk of chunks) list.push(chunk);
  };
}

function decoderOf({ headers }: IncomingMessage, url: URL): Transform {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? '';
  switch (encoding) {
    case '':
    case 'identity':
      return new PassThrough();
    case 'gzip':
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new OutgoingError(url, 'encoding', 'uses a Content-Encoding that Vitrine did not ask for');
  }
}
