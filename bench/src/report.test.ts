import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { performancePage, readFigures } from './report.js';

const page = readFileSync(join(__dirname, '..', '..', 'docs/performance.md'), 'utf8');

describe('docs/performance.md', () => {
  it('is the page for the stored figures', () => {
    expect(page).toBe(performancePage(readFigures()));
  });

  it('has the commit, machine and command above every table', () => {
    const sections = page.split('\n## ').slice(1);
    expect(sections.filter((section) => !/^\S+\n\nCommit `[0-9a-f]{7,10}`; .+; `npm run bench -- \S+`\n\n\| What/u.test(section))).toEqual([]);
    expect(sections.length).toBeGreaterThan(0);
  });
});
