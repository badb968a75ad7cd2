import fc from 'fast-check';
import { DocumentError } from '../../running/source.js';
import { countedPathOf, nextPathOf } from './forge-dialect.js';

const PATH = '/api/v4/projects/acme%2Fwidget/releases?per_page=100';

/** The path, or `refused`. */
function nextOf(link: string): string | null {
  try {
    return nextPathOf(link, PATH);
  } catch (error) {
    if (error instanceof DocumentError) return 'refused';
    throw error;
  }
}

describe('nextPathOf', () => {
  it.each([
    ['<https://a.example/x?page=2&per_page=100>; rel="next"', '?page=2&per_page=100'],
    ['<https://a.example/x?page=1>; rel="prev", <https://a.example/x?page=3>; rel="next", <https://a.example/x?page=9>; rel="last"', '?page=3'],
    ['<https://a.example/x?page=2>; title="a, b"; rel=next', '?page=2'],
    ['<https://a.example/x?page=2#top>; rel="next"', '?page=2'],
    ['</x?page=2>; rel="next"', '?page=2'],
  ])('of %s is the same list with the query %s', (link, query) => {
    expect(nextPathOf(link, PATH)).toBe(`/api/v4/projects/acme%2Fwidget/releases${query}`);
  });

  it.each([undefined, '', 'x', '<https://a.example/x?page=9>; rel="last"', `<${'x'.repeat(20_000)}>`])('of %s is none', (link) => {
    expect(nextPathOf(link, PATH)).toBeNull();
  });

  it.each([
    '<https://a.example/x>; rel="next"',
    '<https://a.example/x?>; rel=next',
    '<https://a.example/x#?page=2>; rel="next"',
    '<>; rel="next"',
    '<https://a.example/x?page=9>; rel="last", </x>; rel="next"',
    `<https://a.example/x?page=${'2'.repeat(20_000)}>; rel="next"`,
  ])('of the link %# cannot be followed, so the list does not end there', (link) => {
    expect(() => nextPathOf(link, PATH)).toThrow(
      new DocumentError(
        'not a forge',
        '/api/v4/projects/acme%2Fwidget/releases has a link to a next page that cannot be followed; correct the address in api',
      ),
    );
  });

  it('is always on the path that was asked for, or none, and never none for a link to a next page', () => {
    const part = fc.string({ unit: fc.constantFrom('<', '>', ',', ';', '"', '?', '/', ':', '@', '.', 'a', 'rel="next"', ' '), maxLength: 30 });
    fc.assert(
      fc.property(part, (link) => {
        const next = nextOf(link);
        if (next === null) expect(link).not.toContain('rel="next"');
        else if (next !== 'refused') expect(next.startsWith('/api/v4/projects/acme%2Fwidget/releases?')).toBe(true);
      }),
    );
  });
});

describe('countedPathOf', () => {
  it('leads through all pages of a list, also if they have fewer items than were asked for, and to no empty one', () => {
    const counts = fc.record({ total: fc.nat(200), size: fc.integer({ min: 1, max: 50 }) });
    fc.assert(
      fc.property(counts, ({ total, size }) => {
        let [read, asked]: [number, number] = [0, 0];
        let path: string | null = '/milestones?state=all&limit=50';
        while (path !== null) {
          const items = Array.from({ length: Math.min(size, total - read) });
          [read, asked] = [read + items.length, asked + 1];
          path = countedPathOf(String(total), items, path);
          if (path !== null) expect(path).toBe(`/milestones?state=all&limit=${String(size)}&page=${String(asked + 1)}`);
        }
        expect(read).toBe(total);
        expect(asked).toBe(Math.max(1, Math.ceil(total / size)));
      }),
    );
  });

  it.each([undefined, '', 'x', ['2', '3'], '-1', 'NaN'])('is none for the total %j', (total) => {
    expect(countedPathOf(total, [1], PATH)).toBeNull();
  });

  it('is none for what is not a list', () => {
    expect(countedPathOf('9', { items: [1] }, PATH)).toBeNull();
  });
});
