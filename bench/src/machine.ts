import { execFile } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { promisify } from 'node:util';
import { findMongod } from '@vitrine/test-support';

/** The cores, memory and versions of this machine, as text. */
export async function machine({ needsMongod }: { readonly needsMongod: boolean }): Promise<string> {
  const [first, ...others] = cpus();
  const parts = [
    `${String(others.length + 1)} cores (${first?.model ?? 'unknown'})`,
    `${String(Math.round(totalmem() / 2 ** 30))} GiB`,
    `Node ${process.version}`,
  ];
  return [...parts, ...(needsMongod ? [`mongod ${await mongodVersion()}`] : [])].join(', ');
}

async function mongodVersion(): Promise<string> {
  const { stdout } = await promisify(execFile)(await findMongod(), ['--version']);
  return /db version v(\S+)/u.exec(stdout)?.[1] ?? 'unknown';
}
