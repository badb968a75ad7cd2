import fc from 'fast-check';
import { nextPathOf } from './forge-dialect.js';

const PATH = '/api/v4/projects/acme%2Fwidget/releases?per_page=100';

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

  it.each([undefined, '', 'x', '<https://a.example/x?page=9>; rel="last"', '<https://a.example/x>; rel="next"', `<${'x'.repeat(20_000)}>`])(
    'of %s is none',
    (link) => {
      expect(nextPathOf(link, PATH)).toBeNull();
    },
  );

  it('is always on the path that was asked for, or none', () => {
    const part = fc.string({ unit: fc.constantFrom('<', '>', ',', ';', '"', '?', '/', ':', '@', '.', 'a', 'rel="next"', ' '), maxLength: 30 });
    fc.assert(
      fc.property(part, (link) => {
        const next = nextPathOf(link, PATH);
        if (next !== null) expect(next.startsWith('/api/v4/projects/acme%2Fwidget/releases?')).toBe(true);
      }),
    );
  });
});
