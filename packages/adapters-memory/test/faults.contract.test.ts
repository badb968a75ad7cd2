import { damagedRecordContract, LIST_SPECS, lostStoreContract, type ContractCase } from '@vitrine/core/testing';
import { GOOD, openFaulty, type Manners } from './broken/faulty-store.js';

const kinds = LIST_SPECS.map(({ kind }) => kind);
const damages = (manners: Manners) => damagedRecordContract({ kinds, open: () => openFaulty(manners) });
const losses = (manners: Manners) => lostStoreContract({ kinds, open: () => openFaulty(manners) });

/** The names of the cases that a store passes. */
async function passed(cases: readonly ContractCase[]): Promise<string[]> {
  const names = await Promise.all(
    cases.map(({ name, run }) =>
      run().then(
        () => [name],
        () => [],
      ),
    ),
  );
  return names.flat();
}

describe('readers with damaged records and lost databases', () => {
  it.each([...damages(GOOD), ...losses(GOOD)])('$name', ({ run }) => run());
});

describe('a reader with one fault', () => {
  it.each<[string, Partial<Manners>]>([
    ['throws at a damaged record', { onDamaged: 'throw' }],
    ['guesses what a damaged record holds', { onDamaged: 'guess' }],
    ['leaves a page short where records are damaged', { refills: false }],
  ])('fails every case of damaged records: %s', async (_name, fault) => {
    expect(await passed(damages({ ...GOOD, ...fault }))).toEqual([]);
  });

  it.each<[string, Partial<Manners>]>([
    ['answers with nothing when its database is lost', { onLost: 'empty' }],
    ['rejects with an error of its own when its database is lost', { onLost: 'throw' }],
  ])('fails every case of lost databases: %s', async (_name, fault) => {
    expect(await passed(losses({ ...GOOD, ...fault }))).toEqual([]);
  });
});
