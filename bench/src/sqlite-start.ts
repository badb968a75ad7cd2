import { join } from 'node:path';
import { DAY, HOUR, type StoredRecord } from '@vitrine/core';
import { aCheck, aService, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { mkdirSync } from 'node:fs';
import { clock, shaOf } from './memory-world.js';
import { atMost, percentile, type Figure } from './measure.js';
import { LIST_PATH, serve } from './served.js';
import { contextOf, filledFolder, filledStore } from './sqlite-store.js';
import { quietRefs, refOf } from './sqlite-world.js';
import { residentBytesOf } from './vitrine-process.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 1_000_000;
const SERVICES = 50;
const CHECKS_EACH = 20_000;
const ROUNDS = 5;
const LIMIT = 20;

interface ListBody {
  readonly data: readonly { readonly sha: string }[];
}

interface SearchBody {
  readonly data: readonly { readonly id: string }[];
}

interface StatusBody {
  readonly data: { readonly services: readonly { readonly currentState: string; readonly checksTracked: number }[] };
}

/** Starts servers on a store with 1,000,000 commits and 1,000,000 checks, and asks each for a list, a search and the status. */
export async function sqliteStartFigures(): Promise<readonly Figure[]> {
  const path = await filledFolder('start_3', COMMITS, fill);
  const approved = new Set(quietRefs);
  const newest: string[] = [];
  for (let serial = 0; newest.length < LIMIT; serial++) if (approved.has(refOf(serial))) newest.push(shaOf(serial));
  const [times, resident]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { get, pid, stop } = await serve({ store: 'sqlite', path, approved: quietRefs });
    const asked = [`${LIST_PATH}?limit=${String(LIMIT)}`, `/api/v1/search?q=${newest[0] ?? ''}`, '/api/v1/status'];
    const [list, found, status] = (await Promise.all(asked.map(get))) as [ListBody, SearchBody, StatusBody];
    times.push((performance.now() - start) / 1_000);
    resident.push(residentBytesOf(pid) / 2 ** 20);
    stop();
    const answered = {
      list: list.data.map(({ sha }) => sha),
      found: found.data.map(({ id }) => id.slice(id.indexOf('@') + 1)),
      services: status.data.services.map(({ currentState, checksTracked }) => `${currentState} ${String(checksTracked)}`),
    };
    const services = Array.from({ length: SERVICES }, () => `operational ${String(CHECKS_EACH)}`);
    mustBe('first answers', answered, { list: newest, found: newest.slice(0, 1), services });
  }
  const what = `start with ${COMMITS.toLocaleString('en')} commits and ${(SERVICES * CHECKS_EACH).toLocaleString('en')} checks in SQLite`;
  return [
    atMost(`${what}: a list, a search and the status are complete`, percentile(times, 0.5), 's', 1),
    atMost('the same: resident memory', Math.max(...resident), 'MiB', 160),
  ];
}

/** A copy of the store with the commits, and checks that are spread over 89 days: all are within the window of 90 days, and the newest is still valid. */
async function fill(path: string, count: number): Promise<void> {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const commits = await filledStore('commits_2', count);
  await commits.backup(join(path, 'vitrine.db'));
  await commits.close();
  const store = await openSqliteStore({ clock, path });
  const put = (records: readonly StoredRecord[]) => store.writer.put(records, contextOf(quietRefs));
  for (let service = 0; service < SERVICES; service++) {
    const serviceKey = `team:service-${String(service)}`;
    await put([aService({ key: serviceKey })]);
    await put(
      Array.from({ length: CHECKS_EACH }, (_, index) => {
        const checkedAt = Math.round(NOW - (index * 89 * DAY) / CHECKS_EACH);
        return aCheck({ serviceKey, checkedAt, responseTimeMs: 80 + ((index * 37) % 400), validForMs: HOUR });
      }),
    );
  }
  await store.close();
}
