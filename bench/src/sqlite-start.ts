import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, HOUR, type StoredRecord } from '@vitrine/core';
import { aCheck, aService, NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { startChild } from './child-process.js';
import { clock, shaOf } from './memory-world.js';
import { atMost, percentile, type Figure } from './measure.js';
import { contextOf, filledStore, storeFolder } from './sqlite-store.js';
import { busyRefs, quietRefs, refOf } from './sqlite-world.js';
import { mustBe } from './wrong-answer.js';

const COMMITS = 1_000_000;
const SERVICES = 50;
const CHECKS_EACH = 20_000;
const ROUNDS = 5;
const LIMIT = 20;

/** What a process that has just started answers. */
export interface FirstAnswers {
  readonly shas: readonly string[];
  readonly found: readonly string[];
  readonly states: readonly string[];
  readonly checks: number;
  readonly residentMb: number;
}

/** Starts processes that open a store with 1,000,000 commits and 1,000,000 checks, and answer a list, a search and the status. */
export async function sqliteStartFigures(count = COMMITS, checksEach = CHECKS_EACH): Promise<readonly Figure[]> {
  const path = await filledWithChecks(count, checksEach);
  const approved = new Set(quietRefs);
  const visible = Array.from({ length: count }, (_, serial) => serial).filter((serial) => approved.has(refOf(serial)));
  const newest = visible.slice(0, LIMIT).map(shaOf);
  const [times, resident]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { message, stop } = await startChild<FirstAnswers>('sqlite-start-process.js', [path, newest[0] ?? '', ...quietRefs]);
    times.push((performance.now() - start) / 1_000);
    stop();
    resident.push(message.residentMb);
    checkAnswers(message, newest, checksEach);
  }
  const what = `start with ${count.toLocaleString('en')} commits and ${(SERVICES * checksEach).toLocaleString('en')} checks in SQLite`;
  return [
    atMost(`${what}: a list, a search and the status are complete`, percentile(times, 0.5), 's', 1),
    atMost('the same: resident memory', Math.max(...resident), 'MiB', 160),
  ];
}

function checkAnswers({ shas, found, states, checks }: FirstAnswers, newest: readonly string[], checksEach: number): void {
  mustBe('the first list', shas, newest);
  mustBe('the first search', found, newest.slice(0, 1));
  mustBe('the first status', { states, checks }, { states: Array.from({ length: SERVICES }, () => 'operational'), checks: SERVICES * checksEach });
}

/** A copy of the store with the commits, and checks. */
async function filledWithChecks(count: number, checksEach: number): Promise<string> {
  const path = storeFolder(`start_1-${String(checksEach)}`, count);
  const mark = join(path, 'filled');
  if (existsSync(mark)) return path;
  rmSync(path, { recursive: true, force: true });
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const commits = await filledStore('commits_1', count);
  await commits.backup(join(path, 'vitrine.db'));
  await commits.close();
  const store = await openSqliteStore({ clock, path });
  const put = (records: readonly StoredRecord[]) => store.writer.put(records, contextOf(busyRefs));
  for (let service = 0; service < SERVICES; service++) {
    const key = `team:service-${String(service)}`;
    await put([aService({ key })]);
    await put(Array.from({ length: checksEach }, (_, index) => checkOf(key, index, checksEach)));
  }
  await store.close();
  writeFileSync(mark, '');
  return path;
}

/** The checks are spread over 89 days, so that all are within the window of 90 days, and the newest is still valid. */
function checkOf(serviceKey: string, index: number, checksEach: number) {
  const checkedAt = Math.round(NOW - (index * 89 * DAY) / checksEach);
  return aCheck({ serviceKey, checkedAt, responseTimeMs: 80 + ((index * 37) % 400), validForMs: HOUR });
}
