import { closeSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { StoredRecord } from '@vitrine/core';
import { aCommit, aFinding, NOW } from '@vitrine/core/testing';
import { openSqliteStore, type OpenSqliteStore } from '../src/index.js';

/** How the disk fails: it is really full, or the shim `failing-disk.c` makes writes fail. */
type Fault = 'full' | 'shim';

/** What the process did and found, as one line of its standard output. */
export interface DiskReport {
  readonly acknowledged: readonly number[];
  /** How many of them were acknowledged after the fault had ended. */
  readonly later: number;
  /** The reasons why the others were rejected. */
  readonly refused: readonly string[];
  /** What readers found after a write was rejected. */
  readonly seen: readonly number[];
  readonly states: readonly string[];
}

/** The number of writes before the fault, at most during the fault, and after it. */
const BEFORE = 20;
const DURING = 400;
const AFTER = 30;
const context = { signal: new AbortController().signal };

function shaOf(number: number): string {
  return `${String(number)}f`.padEnd(40, '0');
}

/** A commit whose size grows with its number, so that writes end at different places of a page, and a finding. */
function recordsOf(number: number, size: number): StoredRecord[] {
  const description = `${String(number)} `.repeat(1 + ((number * 37) % size));
  return [aCommit({ sha: shaOf(number), description }), aFinding({ id: String(number) })];
}

async function stored(store: OpenSqliteStore): Promise<Set<number>> {
  const branches = await store.collection.commitBranches('acme/widget', context);
  const findings = new Set<string>();
  for await (const record of store.collection.records(context)) if (record.kind === 'finding') findings.add(record.id);
  const numbers = Array.from({ length: BEFORE + DURING + AFTER }, (_, index) => index);
  return new Set(numbers.filter((number) => branches.has(shaOf(number)) && findings.has(String(number))));
}

class FullDisk {
  readonly #folder: string;
  readonly #fault: Fault;
  readonly #control: string;

  constructor(folder: string, fault: Fault, control: string) {
    [this.#folder, this.#fault, this.#control] = [folder, fault, control];
  }

  begin(): void {
    if (this.#fault === 'shim') writeFileSync(process.env['FAILING_DISK_CONTROL'] ?? '', this.#control);
    if (this.#fault === 'full') this.#fill();
  }

  end(): void {
    if (this.#fault === 'shim') writeFileSync(process.env['FAILING_DISK_CONTROL'] ?? '', '');
    rmSync(this.#ballast, { force: true });
  }

  get #ballast(): string {
    return join(this.#folder, '..', 'ballast');
  }

  #fill(): void {
    const file = openSync(this.#ballast, 'w');
    try {
      // A few pages stay free, so that the disk gets full in the middle of a write.
      for (let i = 0; i < 100_000; i++) writeSync(file, Buffer.alloc(4_096));
    } catch {
      closeSync(file);
    }
  }
}

async function write(folder: string, disk: FullDisk, size: number): Promise<DiskReport> {
  const store = await openSqliteStore({ clock: { now: () => NOW }, path: folder });
  const acknowledged: number[] = [];
  const refused: string[] = [];
  const states = new Set<string>();
  const seen = new Set<number>();
  const put = async (number: number): Promise<void> => {
    try {
      await store.writer.put(recordsOf(number, size), context);
      acknowledged.push(number);
    } catch (error) {
      refused.push(String(error));
      for (const found of await stored(store)) seen.add(found);
    }
    states.add(store.state);
  };
  for (let number = 0; number < BEFORE; number++) await put(number);
  disk.begin();
  for (let number = BEFORE; number < BEFORE + DURING && refused.length < 5; number++) await put(number);
  disk.end();
  const before = acknowledged.length;
  for (let number = BEFORE + DURING; number < BEFORE + DURING + AFTER; number++) await put(number);
  return { acknowledged, refused, later: acknowledged.length - before, seen: [...seen], states: [...states] };
}

async function read(folder: string): Promise<readonly number[]> {
  const store = await openSqliteStore({ clock: { now: () => NOW }, path: folder });
  const found = [...(await stored(store))];
  await store.close();
  return found;
}

/** `write FOLDER FAULT SIZE CONTROL` ends like a killed process; `read FOLDER` is the next start. */
async function main([phase = '', folder = '', fault = 'shim', size = '1', control = '']: readonly string[]): Promise<void> {
  const report = phase === 'write' ? await write(folder, new FullDisk(folder, fault as Fault, control), Number(size)) : await read(folder);
  writeSync(1, `${JSON.stringify(report)}\n`);
  process.kill(process.pid, 'SIGKILL');
}

void main(process.argv.slice(2));
