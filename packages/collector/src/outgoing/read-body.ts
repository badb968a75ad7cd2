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
  const decoded: Buffer[] = [];
  await pipeline(response, limited, decoderOf(response, url), limited, async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) decoded.push(chunk);
  });
  return Buffer.concat(decoded);
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
