import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChild } from './child-process.js';
import { LIMITS, writeListStore } from './list-store.js';
import { atMost, notMeasured, percentile, timeEach, type Figure } from './measure.js';
import { LIST_PATH } from './served.js';
import { spawnVitrine, type VitrineProcess } from './vitrine-process.js';
import { wireAnswer, type WireAnswer } from './wire-answer.js';
import { requestsPerSecond } from './wrk.js';
import { mustBe } from './wrong-answer.js';

const CONNECTIONS = 10_000;
/** Two processes, so that neither needs more descriptors than the server. */
const CLIENTS = 2;
/** The server keeps some descriptors for itself, and closes idle connections when four fifths of the others are in use. */
const NEEDED_DESCRIPTORS = 13_200;
const WARMING_SECONDS = 3;
const PROBES = 1_000;
const SETTLING_MS = 1_000;
const MB = 1e6;

/** Many clients that keep their connection open after a response, as browsers and proxies do. */
export async function idleConnectionFigures(folder: string): Promise<readonly Figure[]> {
  const what = '10,000 open connections that are idle after one list each: memory that they add';
  const probe = 'the same: p99 of 1,000 probes of /livez, each on a new connection';
  const missing = tooFewDescriptors();
  if (missing !== null) return [notMeasured(what, missing, 'at most 120 MB'), notMeasured(probe, missing, 'at most 20 ms')];
  const config = await writeListStore(join(folder, 'idle'), LIMITS.off);
  const server = await spawnVitrine({ config, log: join(folder, 'idle.log') });
  try {
    await server.ready();
    const { grownBytes, p99 } = await measured(server);
    return [atMost(what, grownBytes / MB, 'MB', 120), atMost(probe, p99, 'ms', 20)];
  } finally {
    server.stop();
  }
}

async function measured({ url, residentBytes, descriptors }: VitrineProcess) {
  const list = `${url}${LIST_PATH}`;
  const right = await wireAnswer(list);
  // The process has its full heap and compiled code before, so the growth belongs to the connections.
  await requestsPerSecond({ url: list, seconds: WARMING_SECONDS, answerBytes: right.bytes });
  await sleep(SETTLING_MS);
  const [bytes, opened] = [residentBytes(), descriptors()];
  const clients = await openAll(list);
  await sleep(SETTLING_MS);
  const resident = [residentBytes()];
  const samples = await timeEach(PROBES, () => wireAnswer(`${url}/livez`), mustBeAlive);
  resident.push(residentBytes());
  mustBe('open connections at the end', descriptors() - opened >= CONNECTIONS, true);
  for (const { stop } of clients) stop();
  return { grownBytes: Math.max(...resident) - bytes, p99: percentile(samples, 0.99) };
}

async function openAll(list: string) {
  const each = CONNECTIONS / CLIENTS;
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => startChild<{ readonly opened: number }>('idle-clients.js', [list, String(each)])),
  );
  mustBe(
    'opened connections',
    clients.map(({ message }) => message.opened),
    Array.from(clients, () => each),
  );
  return clients;
}

function mustBeAlive({ status, body }: WireAnswer): void {
  mustBe('probe of /livez', [status, body.length > 0], [200, true]);
}

/** Why this process, and so the server, may not open enough connections; `null` if it may. */
function tooFewDescriptors(): string | null {
  const limit = /^Max open files +(\S+)/mu.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? '';
  const isEnough = limit === 'unlimited' || Number(limit) >= NEEDED_DESCRIPTORS;
  return isEnough ? null : `only ${limit} files may be open; set "ulimit -n ${String(NEEDED_DESCRIPTORS)}" or more`;
}
