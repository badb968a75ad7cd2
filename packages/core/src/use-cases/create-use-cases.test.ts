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

  it.each([undefined, {}])('says that the clock is missing in the options %j', (options) => {
    expect(() => createUseCases(fakeReaders([]), options as unknown as UseCaseOptions)).toThrow(
      'createUseCases needs a clock. Call createUseCases(store.readers, { clock:',
    );
  });

  it('names an option that does not exist', () => {
    const options = { clock, deadline: null } as UseCaseOptions;
    expect(() => createUseCases(fakeReaders([]), options)).toThrow('createUseCases has no option deadline. Did you mean deadlines?');
  });
});
