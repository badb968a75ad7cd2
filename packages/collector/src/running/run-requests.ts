import { chmod, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { dirname, relative } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import { SECOND, withoutCredentials } from '@vitrine/core';
import { z } from 'zod';
import { makeFolder } from '../files/make-folder.js';
import { describeRun, isNamed, type Source } from './source.js';
import type { RunOutcome, Scheduler } from './scheduler.js';

/** How long a connection may take to send its request. */
const REQUEST_MS = 10 * SECOND;
const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

const requestSchema = z.object({ names: z.array(z.string()).min(1) });
const replySchema = z.union([
  /** The names are known, and the sources run now. */
  z.object({ accepted: z.literal(true) }),
  z.object({ unknown: z.string() }),
  z.object({ line: z.string(), isProblem: z.boolean() }),
  /** The last reply: whether every source was run and left nothing out. */
  z.object({ isFine: z.boolean() }),
]);
type Reply = z.infer<typeof replySchema>;

export interface RunRequestsOptions {
  readonly path: string;
  readonly scheduler: Pick<Scheduler, 'repeated' | 'runNow'>;
  readonly onProblem: (error: unknown) => void;
}

/** Takes requests from commands on this machine to run sources now. Only the user of this process can send one. Start it while no other process collects. */
export class RunRequests {
  readonly #options: RunRequestsOptions;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #listening: Promise<void>;

  constructor(options: RunRequestsOptions) {
    this.#options = options;
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
      void this.#answer(socket);
    });
    this.#listening = this.#listen().catch(options.onProblem);
  }

  /** Ends all connections. Their runs go on. */
  async close(): Promise<void> {
    await this.#listening;
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #listen(): Promise<void> {
    const path = shortened(this.#options.path);
    // The sources make this folder too, when they first need it.
    await makeFolder(dirname(path), OWNER_ONLY_FOLDER);
    // Node removes the name on which a server listens when the server closes. By then, the socket of the next process may have the other name.
    const ownName = `${path}.new`;
    await rm(ownName, { force: true });
    this.#server.listen(ownName);
    await once(this.#server, 'listening');
    this.#server.on('error', this.#options.onProblem);
    await chmod(ownName, OWNER_ONLY);
    await rename(ownName, path);
  }

  async #answer(socket: Socket): Promise<void> {
    const reply = (message: Reply): void => {
      if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
    };
    try {
      await this.#run(await requestedNames(socket), reply);
    } catch {
      // Nobody waits for the answer to an invalid request.
    }
    socket.destroySoon();
  }

  async #run(names: readonly string[], reply: (message: Reply) => void): Promise<void> {
    const { scheduler } = this.#options;
    const all = scheduler.repeated();
    const unknown = names.find((name) => !all.some((source) => isNamed(source, name)));
    if (unknown !== undefined) {
      reply({ unknown });
      return;
    }
    reply({ accepted: true });
    let isFine = true;
    for (const source of all.filter((one) => names.some((name) => isNamed(one, name)))) {
      const { problems, results } = linesOf(source, await scheduler.runNow(source));
      for (const line of problems) reply({ line, isProblem: true });
      for (const line of results) reply({ line, isProblem: false });
      isFine &&= problems.length === 0;
    }
    reply({ isFine });
  }
}

function linesOf({ id }: Source, outcome: RunOutcome | null): { readonly problems: readonly string[]; readonly results: readonly string[] } {
  if (outcome === null) return { problems: [`${id}: the source has left the configuration`], results: [] };
  const { report, error } = outcome;
  if (report === null) return { problems: [`${id}: ${withoutCredentials(error instanceof Error ? error.message : String(error))}`], results: [] };
  const notices = (report.notices ?? []).map((notice) => `${id}: ${notice}`);
  return { problems: report.warnings, results: [...notices, `${id}: ${describeRun(report)}`] };
}

async function requestedNames(socket: Socket): Promise<readonly string[]> {
  socket.setTimeout(REQUEST_MS, () => socket.destroy());
  for await (const line of linesFrom(socket)) {
    socket.setTimeout(0);
    return requestSchema.parse(JSON.parse(line)).names;
  }
  return [];
}

/** The lines end also when the socket is destroyed. */
function linesFrom(socket: Socket): Interface {
  const lines = createInterface({ input: socket.on('error', () => undefined) });
  socket.once('close', () => {
    lines.close();
  });
  return lines;
}

export interface AskOptions {
  readonly signal: AbortSignal;
  /** How long to wait until the request is accepted, in milliseconds. */
  readonly patienceMs: number;
  readonly onLine: (line: string, isProblem: boolean) => void;
}

/** The process that collects did not run the sources. */
export class RunRequestError extends Error {
  override readonly name = 'RunRequestError';
  /** `unknown`: it has no source of a name. `unanswered`: it does not answer, or ended before the runs did. */
  readonly reason: 'unknown' | 'unanswered';

  constructor(reason: RunRequestError['reason'], message: string) {
    super(message);
    this.reason = reason;
  }
}

/**
 * Asks the process that listens on a socket to run sources now. Resolves when they have run, with `true` if they left nothing out; `null` if no process listens. Rejects with
 * a {@link RunRequestError}, and with the reason of the signal.
 */
export async function askToRun(path: string, names: readonly string[], { signal, patienceMs, onLine }: AskOptions): Promise<boolean | null> {
  const socket = connect(shortened(path));
  const stop = (): unknown => socket.destroy();
  signal.addEventListener('abort', stop, { once: true });
  try {
    await once(socket, 'connect', { signal });
    socket.write(`${JSON.stringify({ names })}\n`);
    socket.setTimeout(Math.max(patienceMs, SECOND), stop);
    for await (const text of linesFrom(socket)) {
      const reply = replySchema.parse(JSON.parse(text));
      if ('isFine' in reply) return reply.isFine;
      if ('unknown' in reply) throw new RunRequestError('unknown', unknownText(reply.unknown));
      if ('line' in reply) onLine(reply.line, reply.isProblem);
      else socket.setTimeout(0);
    }
    throw new RunRequestError('unanswered', 'The process that collects does not answer, or has ended. Look at its log, and run the command again.');
  } catch (error) {
    signal.throwIfAborted();
    const code = codeOf(error);
    if (code === 'EACCES')
      throw new RunRequestError('unanswered', 'The process that collects belongs to another user. Run the command as that user.');
    if (NOBODY.includes(code)) return null;
    throw error;
  } finally {
    signal.removeEventListener('abort', stop);
    socket.destroy();
  }
}

function unknownText(name: string): string {
  return `The process that collects does not run the source ${JSON.stringify(name)}. If you have just added it, run the command again in a few seconds, or look at the log of that process.`;
}

/** Among them: a process that has ended leaves its socket, on which nobody listens. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENAMETOOLONG', 'EINVAL'];

function codeOf(error: unknown): string {
  return String(typeof error === 'object' && error !== null ? Reflect.get(error, 'code') : null);
}

/** The operating system allows about 100 bytes for the path of a socket. */
function shortened(path: string): string {
  const short = relative('.', path);
  return short.length < path.length ? short : path;
}
