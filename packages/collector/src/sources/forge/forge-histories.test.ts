import fc from 'fast-check';
import { isTorture } from '@vitrine/test-support';
import { ForgeFixture } from '../../../test/forge/forge-fixture.js';
import * as documents from '../../../test/forge/github-documents.js';
import { wrappedWriter } from '../../running/vouching.js';

const REPOSITORY = '/repos/Acme/widget';
const LISTS = ['releases', 'actions/runs', 'milestones', 'commits'];
const SIZES = isTorture ? [0, 1, 99, 100, 101, 205] : [0, 1, 101];

/** What happens between two runs, and to the second one. */
interface Step {
  /** How many releases there are, and from which number on they have new notes. */
  readonly size: number;
  readonly editedFrom: number;
  readonly runs: number;
  /** A list that responds with 500; `null`: none. */
  readonly broken: string | null;
  /** After how many writes the process is killed; `null`: it is not. */
  readonly killedAfter: number | null;
}

const step: fc.Arbitrary<Step> = fc.record({
  size: fc.constantFrom(...SIZES),
  editedFrom: fc.integer({ min: 0, max: 210 }),
  runs: fc.integer({ min: 0, max: 3 }),
  broken: fc.option(fc.constantFrom(...LISTS), { freq: 2 }),
  killedAfter: fc.option(fc.integer({ min: 0, max: 6 }), { freq: 2 }),
});

function change({ server }: ForgeFixture, { size, editedFrom, runs, broken }: Step, version: number): void {
  const notes = (index: number) => (index >= editedFrom ? { body: `Version ${String(version)}` } : {});
  const releases = Array.from({ length: size }, (_, index) => documents.release(`v${String(index)}`, notes(index)));
  server.documents[`${REPOSITORY}/releases`] = releases;
  server.documents[`${REPOSITORY}/actions/runs`] = { workflow_runs: Array.from({ length: runs }, (_, index) => documents.run(version * 10 + index)) };
  server.faults = broken === null ? {} : { [`${REPOSITORY}/${broken}`]: (response) => response.writeHead(500).end() };
}

/** A run of a new process, which may fail or be killed. */
async function attempt(forge: ForgeFixture, killedAfter: number | null): Promise<void> {
  let left = killedAfter ?? Infinity;
  const writer = wrappedWriter(forge.store.writer, (call) => (left-- > 0 ? call() : Promise.reject(new Error('killed'))));
  await forge.run(forge.restarted(), writer).catch(() => undefined);
}

async function shown(forge: ForgeFixture): Promise<unknown> {
  const records = await Promise.all([forge.of('release'), forge.of('build'), forge.of('mission')]);
  return records.flat().map((record) => [record.id, 'body' in record ? record.body : ''].join(': '));
}

describe('ForgeSource, whatever happens', () => {
  it('shows in the end what a source shows that runs for the first time', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: isTorture ? 4 : 3 }), async (steps) => {
        const [forge, fresh] = await Promise.all([ForgeFixture.open(documents.documents(REPOSITORY)), ForgeFixture.open({})]);
        try {
          for (const [index, one] of steps.entries()) {
            change(forge, one, index);
            await attempt(forge, one.killedAfter);
          }
          forge.server.faults = {};
          fresh.server.documents = forge.server.documents;
          await attempt(forge, null);
          await attempt(fresh, null);
          expect(await shown(forge)).toEqual(await shown(fresh));
        } finally {
          await Promise.all([forge.close(), fresh.close()]);
        }
      }),
      { numRuns: isTorture ? 100 : 2 },
    );
  });
});
