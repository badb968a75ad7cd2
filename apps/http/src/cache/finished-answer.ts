import { codingFor, compressed, type Coding } from './content-coding.js';
import { matchesTag } from './entity-tag.js';

export interface AnswerParts {
  readonly type: string;
  readonly text: string;
  readonly cacheControl: string;
  /** The whole value of the `Link` header. */
  readonly link: string;
  /** `null`: the answer cannot be revalidated. */
  readonly etag: string | null;
  /** Further headers. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body as it is sent. */
export interface CodedBody {
  readonly coding: Coding;
  readonly bytes: Buffer;
}

/** The parts of a request on which the form of an answer depends. */
export interface Accepted {
  readonly 'accept-encoding'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** A successful answer, ready to be sent many times. Each coding of its body is made when it is first wanted, and kept. */
export class FinishedAnswer {
  /** Headers of the answer and of a 304, as alternating names and values. */
  readonly validators: readonly string[];
  /** All headers of the answer but those of its coding. */
  readonly headers: readonly string[];
  /** The text, in UTF-8. */
  readonly body: Buffer;
  readonly #etag: string | null;
  readonly #coded = new Map<Coding, CodedBody | Promise<CodedBody>>();
  #bytes: number;
  /** Is called when another coding is kept. */
  onGrowth: () => void = () => undefined;

  constructor({ type, text, cacheControl, link, etag, headers = {} }: AnswerParts) {
    this.#etag = etag;
    this.validators = [
      'Cache-Control',
      cacheControl,
      'Link',
      link,
      'Vary',
      'Accept-Encoding',
      ...(etag === null ? [] : ['ETag', etag]),
      ...Object.entries(headers).flat(),
    ];
    this.headers = ['Content-Type', type, ...this.validators];
    this.body = bytesOf(text);
    this.#bytes = this.body.length;
    this.#coded.set('identity', { coding: 'identity', bytes: this.body });
  }

  /** Memory of all codings that are kept. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether the client already has it. */
  isKnownTo({ 'if-none-match': ifNoneMatch }: Accepted): boolean {
    return matchesTag(ifNoneMatch, this.#etag);
  }

  /** The body in the coding that the client prefers. */
  bodyFor({ 'accept-encoding': accepted }: Accepted): CodedBody | Promise<CodedBody> {
    const coding = codingFor(accepted, this.body.length);
    return this.#coded.get(coding) ?? this.#encode(coding);
  }

  #encode(coding: Coding): CodedBody | Promise<CodedBody> {
    if (coding === 'identity') return { coding, bytes: this.body };
    const made = compressed(coding, this.body);
    if (Buffer.isBuffer(made)) return this.#keep({ coding, bytes: made });
    const later = made.then(
      (bytes) => this.#keep({ coding, bytes }),
      // Without memory for the compression, the body itself is still there.
      () => this.#keep({ coding: 'identity', bytes: this.body }),
    );
    this.#coded.set(coding, later);
    return later;
  }

  #keep(coded: CodedBody): CodedBody {
    this.#coded.set(coded.coding, coded);
    this.#bytes += coded.bytes.length;
    this.onGrowth();
    return coded;
  }
}

/** A buffer of its own. `Buffer.from` puts a short text into a larger buffer, and would keep all of that in memory. */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}
