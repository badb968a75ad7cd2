import type { Instant } from '@vitrine/core';
import type { Git } from './git.js';

const COMMIT = /^([0-9a-f]+) commit (\d+)$/;
const DATE = /> ?(-?\d+)(?: [+-]\d+)?$/;

/**
 * The dates of commits whose date git itself cannot print, such as one before 1970. They are read from the raw commit: the date of the committer, or else of the
 * author. A commit without a readable date is missing in the result.
 */
export async function readCommitDates(git: Git, shas: readonly string[]): Promise<Map<string, Instant>> {
  const dates = new Map<string, Instant>();
  if (shas.length === 0) return dates;
  const pieces: Buffer[] = [];
  const input = shas.map((sha) => `${sha}\n`);
  for await (const piece of git.stream(['cat-file', '--batch'], input)) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(10, start);
    const [, sha, size] = COMMIT.exec(bytes.toString('latin1', start, end)) ?? [];
    if (end < 0 || sha === undefined) break;
    const date = dateOf(bytes.subarray(end + 1, end + 1 + Number(size)));
    if (date !== null) dates.set(sha, date);
    start = end + 2 + Number(size);
  }
  return dates;
}

function dateOf(commit: Buffer): Instant | null {
  const header = commit.toString('latin1', 0, commit.indexOf('\n\n')).split('\n');
  for (const field of ['committer ', 'author ']) {
    const seconds = DATE.exec(header.find((line) => line.startsWith(field)) ?? '')?.[1];
    if (seconds !== undefined) return Number(seconds) * 1_000;
  }
  return null;
}
