import { codingFor, compressed, type Coding, type Compression } from './content-coding.js';
import { matchesTag } from './entity-tag.js';
import { ownBuffer } from './own-buffer.js';

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
  /** Its own `Content-Security-Policy`. */
  readonly policy?: string;
  /** Further headers. */
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

/** The parts of a request on which the form of an answer depends. */
export interface Accepted {
  readonly 'accept-encoding'?: string | undefined;
  readonly 'if-none-match'?: string | undefined;
}

/** A successful answer, ready to be sent many times. Each coding of its body is made when it is first wanted, and kept. */
export class FinishedAnswer {
  /** Headers of the answer and of a 304, as alternating names and values. */
  readonly validators: readonly string[];
  /** Its own `Content-Security-Policy`; `null` for the one of all answers. */
  readonly policy: string | null;
  /** The text, in UTF-8. */
  readonly body: Buffer;
  readonly #type: string;
  readonly #etag: string | null;
  readonly #plain: CodedBody;
  readonly #compressed = new Map<Compression, CodedBody | Promise<CodedBody>>();
  #bytes: number;
  /** Is called when another coding is kept. */
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
    return coding === 'identity' ? this.#plain : (this.#compressed.get(coding) ?? this.#compress(coding));
  }

  #compress(coding: Compression): CodedBody | Promise<CodedBody> {
    const made = compressed(coding, this.body);
    if (Buffer.isBuffer(made)) return this.#keep(coding, made);
    const later = made.then(
      (bytes) => this.#keep(coding, bytes),
      // There was no memory for the compression.
      () => this.#plain,
    );
    this.#compressed.set(coding, later);
    return later;
  }

  #keep(coding: Compression, bytes: Buffer): CodedBody {
    const coded = new CodedBody(coding, bytes, this.headers);
    this.#compressed.set(coding, coded);
    this.#bytes += bytes.length;
    this.onGrowth();
    return coded;
  }
}
