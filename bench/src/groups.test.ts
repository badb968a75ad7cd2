import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readFigures } from './figures-file.js';
import { groups } from './groups.js';
import { performancePage } from './performance-page.js';

const root = join(__dirname, '..', '..');
const names = Object.keys(groups);
const read = (file: string) => readFileSync(join(root, file), 'utf8');

describe('docs/performance.md', () => {
  it('is the page for the stored figures', () => {
    expect(read('docs/performance.md')).toBe(performancePage(names, readFigures()));
  });

  it('has the commit, machine and command above every table', () => {
    const sections = read('docs/performance.md').split('\n## ').slice(1);
    expect(
      sections.filter((section) => !/^\S+\n\nCommit `[0-9a-f]{7,10}`; .+; `npm run bench -- \S+`\n\n(?:[^|\n]+\n\n)?\| What/u.test(section)),
    ).toEqual([]);
    expect(sections.length).toBeGreaterThan(0);
  });
});
