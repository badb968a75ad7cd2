import { atLeast, notMeasured } from './measure.js';
import { tableRow } from './performance-page.js';

describe('a row of the table', () => {
  it.each([
    [atLeast('lists', 2.3456, 'times', 2), '| lists | 2.35 times | at least 2 times | reached |'],
    [atLeast('lists', 1.9, 'times', 2), '| lists | 1.9 times | at least 2 times | **missed** |'],
    [notMeasured('lists', 'npm failed', 'at least 2 times'), '| lists | not measured: npm failed | at least 2 times | **not measured** |'],
  ])('says what was measured, and whether it is enough', (figure, row) => {
    expect(tableRow(figure)).toBe(row);
  });

  it('that was not measured counts as missed', () => {
    expect(notMeasured('lists', 'npm failed', 'at least 2 times').holds).toBe(false);
  });
});
