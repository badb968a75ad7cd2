import { Random, randomRecords } from '@vitrine/core/testing';
import { Api, approving } from './support/api.js';
import { cursorOf, privacySuites } from './support/privacy-suites.js';
import { randomTarget } from './support/random-request.js';
import { smallWorld } from './support/small-world.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
const approved = approving('acme/widget', 'acme/gadget');
const PUBLIC = ['acme/widget', 'acme/gadget'] as const;
const LONG = 3_600_000;

describe('any request', () => {
  it(
    'is answered as documented, and never with 5xx',
    async () => {
      const random = new Random(41);
      const api = await Api.open({ records: [...smallWorld, ...randomRecords(random, PUBLIC, 0, 200)], approved });
      const cursors: string[] = [];
      const statuses = new Map<number, number>();
      for (let count = torture ? 100_000 : 150; count > 0; count--) {
        // `send` validates each response against the OpenAPI document.
        const answer = await api.send(random.chance(0.05) ? 'HEAD' : 'GET', randomTarget(random, cursors));
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
        const cursor = cursorOf(answer);
        if (cursor !== null && cursors.length < 500) cursors.push(cursor);
      }
      await api.close();
      expect([...statuses.keys()].filter((status) => status >= 500)).toEqual([]);
      expect(statuses.get(200)).toBeGreaterThan(30);
      expect(statuses.get(400)).toBeGreaterThan(30);
    },
    LONG,
  );
});

privacySuites();
