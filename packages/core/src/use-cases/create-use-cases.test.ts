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
    [undefined, 'createUseCases: clock must be an object such as { now: () => Date.now() }, in whole milliseconds, not undefined'],
    [{}, 'createUseCases: clock must be an object such as { now: () => Date.now() }, in whole milliseconds, not undefined'],
    [{ clock: Date.now() }, /^createUseCases: clock must be an object such as { now: \(\) => Date\.now\(\) }, in whole milliseconds, not \d+$/],
    [{ clock, deadline: null }, 'createUseCases: deadline is not known. Did you mean deadlines?'],
    [{ clock, gateMonitor: () => undefined }, 'createUseCases: gateMonitor must be an object with the method refused, not a function'],
    [{ clock, deadlines: 5 }, 'createUseCases: deadlines must be an object with the method run, not 5'],
    [clock.now, /^createUseCases needs an object with options, not /],
  ])('names what is wrong in the options %j', (options, message) => {
    expect(() => createUseCases(fakeReaders([]), options as unknown as UseCaseOptions)).toThrow(message);
  });

  it.each([async () => 0, () => new Date(0), () => undefined, () => Number.NaN, () => 0.5])('refuses a clock whose time is that of %s', (now) => {
    const options = { clock: { now } } as unknown as UseCaseOptions;
    expect(() => createUseCases(fakeReaders([]), options)).toThrow('createUseCases: clock must be an object such as');
  });

  it('takes Date as a clock', () => {
    expect(() => createUseCases(fakeReaders([]), { clock: Date })).not.toThrow();
  });
});
