import { aCommit, aRepositoryRecord, NOW, Random } from '@vitrine/core/testing';
import { Api, approving } from './support/api.js';

const torture = process.env['VITRINE_TORTURE'] === '1';
/** A normal run lasts until each reader has paged through the whole list once. */
const SECONDS = torture ? 600 : 0;
/** The records that are inserted after each page, and how many of them the list has before one of them is removed for each new one. */
const [INSERTS, MOST_PASSING] = [2, torture ? 500 : 10];
const READERS = torture ? 8 : 4;
const LASTING = torture ? 400 : 200;
const SPAN_MS = 30 * 24 * 3_600_000;

const context = { signal: new AbortController().signal };
const commit = (serial: number, time: number) => aCommit({ sha: serial.toString(16).padStart(40, '0'), committedAt: time });

interface Page {
  readonly data: readonly { readonly sha: string }[];
  readonly meta: { readonly nextCursor: string | null };
}

describe('clients that page while records are added and removed', () => {
  it(
    'get every record that stayed exactly once',
    async () => {
      const random = new Random(99);
      const lasting = Array.from({ length: LASTING }, (_, serial) => commit(serial, NOW - random.int(SPAN_MS)));
      const api = await Api.open({ records: [aRepositoryRecord(), ...lasting], approved: approving('acme/widget') });
      const end = performance.now() + SECONDS * 1_000;
      const passing: ReturnType<typeof commit>[] = [];
      let written = 0;
      const write = async (): Promise<void> => {
        for (let count = 0; count < INSERTS; count++) {
          const inserted = commit(1_000_000 + written++, NOW - random.int(SPAN_MS));
          await api.store.writer.put([inserted], context);
          passing.push(inserted);
          const gone = passing.length > MOST_PASSING ? passing.splice(random.int(passing.length), 1) : [];
          await api.store.writer.remove(gone, context);
        }
      };

      const read = async (): Promise<{ readonly lost: number; readonly repeated: number }> => {
        const found = { lost: 0, repeated: 0 };
        do {
          const shas: string[] = [];
          let cursor: string | null = null;
          do {
            const limit = 10 + random.int(40);
            const answer = await api.send('GET', `/api/v1/development/commits?limit=${String(limit)}${cursor === null ? '' : `&cursor=${cursor}`}`);
            const { data, meta } = answer.json as Page;
            shas.push(...data.map(({ sha }) => sha));
            cursor = meta.nextCursor;
            await write();
          } while (cursor !== null);
          const seen = new Set(shas);
          found.repeated += shas.length - seen.size;
          found.lost += lasting.filter(({ sha }) => !seen.has(sha)).length;
        } while (performance.now() < end);
        return found;
      };

      const readers = await Promise.all(Array.from({ length: READERS }, read));
      await api.close();
      expect(readers.map(({ lost, repeated }) => ({ lost, repeated }))).toEqual(readers.map(() => ({ lost: 0, repeated: 0 })));
      expect(written).toBeGreaterThan(READERS * MOST_PASSING);
    },
    (SECONDS + 120) * 1_000,
  );
});
