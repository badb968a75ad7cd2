import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './planted-tree.js';

const folder = join(root, 'docs/adr');
const records = readdirSync(folder).filter((name) => name.endsWith('.md'));

/** The paths in backticks of the line that says what keeps a decision. */
function enforcers(record: string): readonly string[] {
  const line = /\*\*Enforced by:?\*\*(.*(?:\n(?!\n).*)*)/u.exec(readFileSync(join(folder, record), 'utf8'))?.[1] ?? '';
  return [...line.matchAll(/`([^`\s]+)`/gu)].map(([, path = '']) => path).filter((path) => /[/.]/u.test(path));
}

describe('a decision record', () => {
  it('exists', () => {
    expect(records).not.toHaveLength(0);
  });

  it.each(records)('%s has a numbered name', (record) => {
    expect(record).toMatch(/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/u);
  });

  it.each(records)('%s names a file that enforces it', (record) => {
    const paths = enforcers(record);
    expect(paths).not.toHaveLength(0);
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('has a number of its own', () => {
    const numbers = records.map((record) => record.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
  });
});
