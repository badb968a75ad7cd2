import type { IncomingMessage } from 'node:http';
import { PassThrough, type Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createUnzip } from 'node:zlib';
import { OutgoingError } from './outgoing-error.js';

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
