import fc from 'fast-check';
import { SERVICE_STATES } from '@vitrine/core';
import { aCheck } from '@vitrine/core/testing';
import { StateChanges } from './probe-source.js';

describe('StateChanges', () => {
  it('says each change of a state once, and nothing of the first state', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.constantFrom(...SERVICE_STATES), { maxLength: 3 })), (runs) => {
        const changes = new StateChanges();
        let before: string | null = null;
        for (const states of runs) {
          const checks = states.map((state, checkedAt) => aCheck({ serviceKey: 'acme:web', state, rawState: 'ok', checkedAt }));
          const after: string | null = states.at(-1) ?? before;
          const expected = before === null || after === before ? [] : [`acme:web was ${before} and is ${String(after)} (ok)`];
          expect(changes.noticesOf(checks)).toEqual(expected);
          before = after;
        }
      }),
    );
  });

  it('tells the services of one run apart', () => {
    const changes = new StateChanges();
    const run = (one: 'outage' | 'operational', other: 'outage' | 'operational') =>
      changes.noticesOf([aCheck({ serviceKey: 'a:a', state: one }), aCheck({ serviceKey: 'b:b', state: other })]);
    run('operational', 'operational');
    expect(run('outage', 'operational')).toEqual([expect.stringMatching(/^a:a was operational and is outage/)]);
    expect(run('outage', 'outage')).toEqual([expect.stringMatching(/^b:b was operational/)]);
  });
});
