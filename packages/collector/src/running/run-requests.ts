import { chmod, rename, rm } from 'node:fs/promises';
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { dirname, relative } from 'node:path';
import { json, text } from 'node:stream/consumers';
import { errorCodeOf } from '@vitrine/config/internal';
import { SECOND, withoutCredentials } from '@vitrine/core';
import { z } from 'zod';
import { makeFolder } from '../files/write-whole.js';
import { describeRun, isNamed, type Source } from './source.js';
import type { RunOutcome, Scheduler } from './scheduler.js';

const REQUEST_MS = 10 * SECOND;
const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

const requestSchema = z.object({ names: z.array(z.string()).min(1) });
const replySchema = z.array(z.object({ problems: z.array(z.string()), results: z.array(z.string()) }));
type Reply = Readonly<z.infer<typeof replySchema>[number]>;
const UNKNOWN_NAME = 404;

export interface RunRequestsOptions {
  readonly path: string;
  readonly dataFolder: string | null;
  readonly scheduler: Pick<Scheduler, 'repeated' | 'runNow'>;
  readonly onProblem: (error: unknown) => void;
}

/** Takes requests from commands on this machine to run sources now, over HTTP on a socket of the file system. Only the user of this process can send one. Start it while no other process collects. */
export class RunRequests {
  readonly #server: Server;
  readonly #listening: Promise<void>;

  constructor(private readonly options: RunRequestsOptions) {
    this.#server = createServer({ requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS }, (received, response) => {
      response.on('error', () => undefined);
      // Nobody waits for the answer to an invalid request.
      this.#answer(received, response).catch(() => response.destroy());
    });
    this.#listening = this.#listen().catch(options.onProblem);
  }

  /** Ends all connections. Their runs go on. */
  async close(): Promise<void> {
    await this.#listening;
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  async #listen(): Promise<void> {
    const { path: fullPath, dataFolder } = this.options;
    // The sources make this folder too, when they first need it.
    await makeFolder(dirname(fullPath), { mode: OWNER_ONLY_FOLDER, dataFolder });
    const path = shortened(fullPath);
    // Node removes the name on which a server listens when the server closes. By then, the socket of the next process may have the other name.
    const ownName = `${path}.new`;
    await rm(ownName, { force: true });
    this.#server.listen(ownName);
    await once(this.#server, 'listening');
    this.#server.on('error', this.options.onProblem);
    await chmod(ownName, OWNER_ONLY);
    await rename(ownName, path);
  }

  async #answer(received: IncomingMessage, response: ServerResponse): Promise<void> {
    const { scheduler } = this.options;
    const { names } = requestSchema.parse(await json(received));
    const all = scheduler.repeated();
    const unknown = names.find((name) => !all.some((source) => isNamed(source, name)));
    if (unknown !== undefined) return void response.writeHead(UNKNOWN_NAME).end(unknown);
    // The names are known, and the sources run now.
    response.flushHeaders();
    const replies: Reply[] = [];
    for (const source of all.filter((one) => names.some((name) => isNamed(one, name)))) replies.push(linesOf(source, await scheduler.runNow(source)));
    response.end(JSON.stringify(replies));
  }
}

function linesOf({ id }: Source, outcome: RunOutcome | null): Reply {
  if (outcome === null) return { problems: [`${id}: the source has left the configuration`], results: [] };
  const { report, error } = outcome;
  if (report === null) return { problems: [`${id}: ${withoutCredentials(error instanceof Error ? error.message : String(error))}`], results: [] };
  const notices = (report.notices ?? []).map((notice) => `${id}: ${notice}`);
  return { problems: [...report.warnings], results: [...notices, `${id}: ${describeRun(report)}`] };
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

  /** @param reason `unknown`: it has no source of a name. `unanswered`: it does not answer, or ended before the runs did */
  constructor(
    readonly reason: 'unknown' | 'unanswered',
    message: string,
  ) {
    super(message);
  }
}

/** Asks the process that listens on a socket to run sources now. `true` if they left nothing out; `null` if no process listens. Rejects with a {@link RunRequestError}, or the reason of the signal. */
export async function askToRun(path: string, names: readonly string[], { signal, patienceMs, onLine }: AskOptions): Promise<boolean | null> {
  const asked = request({ socketPath: shortened(path), method: 'POST', agent: false, signal });
  try {
    // An error after the response has begun ends the response too.
    asked.on('error', () => undefined).setTimeout(Math.max(patienceMs, SECOND), () => asked.destroy());
    asked.end(JSON.stringify({ names }));
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    asked.setTimeout(0);
    if (response.statusCode === UNKNOWN_NAME) throw new RunRequestError('unknown', unknownText(await text(response)));
    const replies = replySchema.parse(await json(response));
    for (const { problems, results } of replies) {
      for (const line of problems) onLine(line, true);
      for (const line of results) onLine(line, false);
    }
    return replies.every(({ problems }) => problems.length === 0);
  } catch (error) {
    signal.throwIfAborted();
    if (NOBODY.includes(errorCodeOf(error) ?? '')) return null;
    throw inWords(error);
  } finally {
    asked.destroy();
  }
}

const UNANSWERED: Readonly<Record<string, string>> = {
  ECONNRESET: 'The process that collects does not answer, or has ended. Look at its log, and run the command again.',
  EACCES: 'The process that collects belongs to another user. Run the command as that user.',
};

function unknownText(name: string): string {
  return `The process that collects does not run the source ${JSON.stringify(name)}. If you have just added it, run the command again in a few seconds, or look at the log of that process.`;
}

function inWords(error: unknown): unknown {
  const problem = UNANSWERED[errorCodeOf(error) ?? ''];
  return problem === undefined ? error : new RunRequestError('unanswered', problem);
}

/** Among them: a process that has ended leaves its socket, on which nobody listens. */
const NOBODY = ['ENOENT', 'ECONNREFUSED', 'ENOTSOCK', 'ENAMETOOLONG', 'EINVAL'];

/** The operating system allows about 100 bytes for the path of a socket. */
function shortened(path: string): string {
  const short = relative('.', path);
  return short.length < path.length ? short : path;
}
