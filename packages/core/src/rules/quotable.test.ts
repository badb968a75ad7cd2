import fc from 'fast-check';
import { anyText } from '../../../../test/any-text.js';
import { MAX_QUOTED, quotable } from './quotable.js';
import { holdsEmail } from './without-email.js';

describe('quotable', () => {
  it('cuts addresses, makes one line, and ends a long text in an ellipsis', () => {
    expect(quotable('5 minuts')).toBe('5 minuts');
    expect(quotable('by Ada <ada@example.org>\nfor\u202ebob\u0000')).toBe('by Ada for bob ');
    expect(quotable('x'.repeat(81))).toBe(`${'x'.repeat(79)}…`);
    expect(quotable(`${'x'.repeat(75)} ada@example.org`)).toBe(`${'x'.repeat(75)} `);
  });

  it('quotes at most 80 characters of any text, and no address', () => {
    fc.assert(
      fc.property(anyText(), fc.constantFrom('', 'ada@example.org', 'x'.repeat(100)), (text, more) => {
        const quoted = quotable(text + more);
        expect(quoted.length).toBeLessThanOrEqual(MAX_QUOTED);
        expect(quoted).not.toMatch(/[\p{C}\n]/u);
        if (!quoted.endsWith('…')) expect(holdsEmail(quoted)).toBe(false);
      }),
    );
  });
});
