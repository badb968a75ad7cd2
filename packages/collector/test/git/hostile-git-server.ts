import { createHash } from 'node:crypto';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';

const FLUSH = '0000';
const TYPES = { commit: 1, tree: 2, blob: 3 } as const;
/** What one packet of the side band holds at most. */
const BAND = 65_000;

export interface PackedObject {
  readonly type: keyof typeof TYPES;
  readonly content: Buffer;
}

/** A packet of git's protocol: its length in hexadecimal digits, then its content. */
export function packet(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([Buffer.from((bytes.length + FLUSH.length).toString(16).padStart(FLUSH.length, '0')), bytes]);
}

/** Packets of the side band: 1 is the pack, and 2 is the progress that git shows. */
export function band(number: 1 | 2, bytes: Buffer): Buffer {
  const packets: Buffer[] = [];
  for (let start = 0; start < bytes.length; start += BAND)
    packets.push(packet(Buffer.concat([Buffer.of(number), bytes.subarray(start, start + BAND)])));
  return Buffer.concat(packets);
}

export function packHead(count: number): Buffer {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(count, 8);
  return head;
}

/** An object as packs hold it: its type and length in groups of 7 bits, then its compressed content. */
export function packed({ type, content }: PackedObject, level = 6): Buffer {
  const bytes: number[] = [];
  let [current, rest] = [(TYPES[type] << 4) | (content.length & 15), Math.floor(content.length / 16)];
  for (; rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(current | 128);
    current = rest & 127;
  }
  return Buffer.concat([Buffer.from([...bytes, current]), deflateSync(content, { level })]);
}

export function idOf({ type, content }: PackedObject): string {
  return createHash('sha1')
    .update(`${type} ${String(content.length)}\0`)
    .update(content)
    .digest('hex');
}

function packOf(objects: readonly PackedObject[]): Buffer {
  const body = Buffer.concat([packHead(objects.length), ...objects.map((object) => packed(object))]);
  return Buffer.concat([body, createHash('sha1').update(body).digest()]);
}

const tree: PackedObject = { type: 'tree', content: Buffer.alloc(0) };
const PERSON = 'Ada <ada@example.org> 1700000000 +0000';

export function commitOf(message: string): PackedObject {
  return { type: 'commit', content: Buffer.from(`tree ${idOf(tree)}\nauthor ${PERSON}\ncommitter ${PERSON}\n\n${message}\n`) };
}

function wholePack(commit: PackedObject): Buffer {
  return Buffer.concat([band(1, packOf([tree, commit])), Buffer.from(FLUSH)]);
}

/** How the server behaves. Each function writes one response; without it, the server is an honest one with one commit. */
export interface Behaviour {
  readonly commit?: PackedObject;
  /** After the list of refs, instead of its end. */
  readonly listing?: (response: ServerResponse) => void;
  /** After the negotiation, instead of the pack. */
  readonly sending?: (response: ServerResponse) => void;
  /** Where a request is redirected to; `null`: it is answered. */
  readonly redirecting?: (method: string, target: string) => string | null;
  /** Default: 302. */
  readonly redirectStatus?: number;
}

/** Writes the same pieces again and again, as fast as they are read, until the client goes. */
export function endlessly(response: ServerResponse, piece: () => Buffer): void {
  const more = (): void => {
    while (!response.destroyed && response.write(piece()));
  };
  response.on('drain', more);
  more();
}

/** A server of git's smart HTTP protocol with one repository, which does what a test tells it. */
export class HostileGitServer {
  behaviour: Behaviour = {};
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      response.on('error', () => undefined);
      request.resume();
      const location = this.behaviour.redirecting?.(request.method ?? '', request.url ?? '') ?? null;
      if (location !== null) response.writeHead(this.behaviour.redirectStatus ?? 302, { location }).end();
      else if (request.method === 'GET') this.#list(response);
      else this.#send(response);
    });
  }

  /** @returns the clone address */
  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${String((this.#server.address() as AddressInfo).port)}/widget.git`;
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  get #commit(): PackedObject {
    return this.behaviour.commit ?? commitOf('honest');
  }

  #list(response: ServerResponse): void {
    const id = idOf(this.#commit);
    response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' });
    response.write(`${String(packet('# service=git-upload-pack\n'))}${FLUSH}`);
    response.write(packet(`${id} HEAD\0 side-band-64k symref=HEAD:refs/heads/main\n`));
    response.write(packet(`${id} refs/heads/main\n`));
    if (this.behaviour.listing === undefined) response.end(FLUSH);
    else this.behaviour.listing(response);
  }

  #send(response: ServerResponse): void {
    response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-result' });
    response.write(packet('NAK\n'));
    if (this.behaviour.sending === undefined) response.end(wholePack(this.#commit));
    else this.behaviour.sending(response);
  }
}
