import { createUseCases, type AnswerReaders, type UseCaseOptions } from '@vitrine/core';
import { fakeReaders } from '../../test/fake-readers.js';

const clock = { now: () => 0 };

describe('createUseCases', () => {
  it.each([
    [
      'the whole store',
      { readers: fakeReaders([]) },
      'createUseCases needs the readers of a store, not the store. Call createUseCases(store.readers',
    ],
    ['nothing', undefined, 'createUseCases needs the readers of a store. Call createUseCases(store.readers'],
    ['null', null, 'createUseCases needs the readers of a store. Call createUseCases(store.readers'],
    ['an empty object', {}, 'createUseCases needs the readers of a store. Call createUseCases(store.readers'],
  ])('says what to pass when it gets %s', (_what, readers, message) => {
    expect(() => createUseCases(readers as unknown as AnswerReaders, { clock })).toThrow(message);
  });

  it.each([
    [undefined, 'createUseCases: clock must be an object such as { now: () => Date.now() }, not undefined'],
    [{}, 'createUseCases: clock must be an object such as { now: () => Date.now() }, not undefined'],
    [{ clock: Date.now() }, /^createUseCases: clock must be an object such as { now: \(\) => Date\.now\(\) }, not \d+$/],
    [{ clock, deadline: null }, 'createUseCases: deadline is not known. Did you mean deadlines?'],
    [clock.now, /^createUseCases needs an object with options, not /],
  ])('names what is wrong in the options %j', (options, message) => {
    expect(() => createUseCases(fakeReaders([]), options as unknown as UseCaseOptions)).toThrow(message);
  });

  it('takes Date as a clock', () => {
    expect(() => createUseCases(fakeReaders([]), { clock: Date })).not.toThrow();
  });
});
