import fc from 'fast-check';
import { DocumentError } from '../../running/source.js';
import { nextPathOf } from './forge-dialect.js';

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
