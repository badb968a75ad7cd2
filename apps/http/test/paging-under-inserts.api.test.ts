import { setTimeout as delay } from 'node:timers/promises';
import { aCommit, aRepositoryRecord, NOW, Random } from '@vitrine/core/testing';
import { Api, approving } from './support/api.js';

const SECONDS = process.env['VITRINE_TORTURE'] === '1' ? 600 : 1;
const READERS = 8;
const INSERTS_PER_SECOND = 200;
const LASTING = 400;
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

      const write = async (): Promise<number> => {
        const passing: ReturnType<typeof commit>[] = [];
        let written = 0;
        for (const start = performance.now(); performance.now() < end; await delay(5)) {
          for (const due = ((performance.now() - start) / 1_000) * INSERTS_PER_SECOND; written < due; written++) {
            const inserted = commit(1_000_000 + written, NOW - random.int(SPAN_MS));
            await api.store.writer.put([inserted], context);
            passing.push(inserted);
            const gone = passing.length > 500 ? passing.splice(random.int(passing.length), 1) : [];
            await api.store.writer.remove(gone, context);
          }
        }
        return written;
      };

      const read = async (): Promise<{ readonly walks: number; readonly lost: number; readonly repeated: number }> => {
        const found = { walks: 0, lost: 0, repeated: 0 };
        while (performance.now() < end) {
          const shas: string[] = [];
          let cursor: string | null = null;
          do {
            const limit = 10 + random.int(40);
            const answer = await api.send('GET', `/api/v1/development/commits?limit=${String(limit)}${cursor === null ? '' : `&cursor=${cursor}`}`);
            const { data, meta } = answer.json as Page;
            shas.push(...data.map(({ sha }) => sha));
            cursor = meta.nextCursor;
          } while (cursor !== null);
          const seen = new Set(shas);
          found.walks += 1;
          found.repeated += shas.length - seen.size;
          found.lost += lasting.filter(({ sha }) => !seen.has(sha)).length;
        }
        return found;
      };

      const [written, ...readers] = await Promise.all([write(), ...Array.from({ length: READERS }, read)]);
      await api.close();
      expect(readers.map(({ lost, repeated }) => ({ lost, repeated }))).toEqual(readers.map(() => ({ lost: 0, repeated: 0 })));
      expect(readers.reduce((sum, { walks }) => sum + walks, 0)).toBeGreaterThanOrEqual(READERS);
      expect(written).toBeGreaterThan((SECONDS * INSERTS_PER_SECOND) / 2);
    },
    (SECONDS + 60) * 1_000,
  );
});
