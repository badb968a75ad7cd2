import { aCheck, aCommit, aRepositoryRecord, aService } from '@vitrine/core/testing';
import { type AnswerReaders, wireUseCases } from '@vitrine/core';
import fc from 'fast-check';
import { fakeReaders } from '../../test/fake-readers.js';
import { firstPage, widgetOnly } from '../../test/fake-use-cases.js';

type Execute = (input: unknown, context: unknown) => Promise<unknown>;
type Loose = Readonly<Record<string, { readonly execute: Execute }>>;

const clock = { now: () => Date.now() };
const world = [aRepositoryRecord(), aCommit(), aService(), aCheck()];
/** Input with which every use case finds its records. */
const complete = {
  ...firstPage,
  repository: 'acme/widget',
  id: 'x',
  sha: aCommit().sha,
  key: aService().key,
  fullName: 'acme/widget',
  q: 'widget',
  days: 5,
  types: [],
};

function useCasesOf(readers: object): Loose {
  // The tests call the use cases as plain JavaScript does, with any input.
  return wireUseCases(readers as AnswerReaders, { clock }) as unknown as Loose;
}
const NAMES = Object.keys(useCasesOf(fakeReaders([])));

/** Runs use cases, each in its own `try`. Resolves with the rejections that nobody could catch. */
async function uncaught(useCases: Loose, input: unknown, context: unknown, names: Iterable<string> = NAMES): Promise<readonly string[]> {
  const found: string[] = [];
  for (const name of names) {
    const hear = (reason: unknown): void => void found.push(`${name}: ${String(reason)}`);
    process.on('unhandledRejection', hear);
    try {
      await useCases[name]?.execute(input, context);
    } catch {
      // The caller catches this one.
    }
    // Node.js reports unhandled rejections before the next immediate.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', hear);
  }
  return found;
}

/** The readers, of which the named method throws instead of rejecting. */
function throwing(reader: string, method: string): object {
  const readers = fakeReaders(world) as unknown as Record<string, object>;
  const broken = () => {
    throw new Error('not a promise');
  };
  return { ...readers, [reader]: { ...readers[reader], [method]: broken } };
}

/** The names of the use cases that call each method, such as `commits.list`. */
async function callers(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const found = new Map<string, Set<string>>();
  for (const name of NAMES) {
    const recorded = Object.entries(fakeReaders(world)).map(([reader, methods]) => {
      const called = (method: PropertyKey): void => {
        const key = `${reader}.${String(method)}`;
        found.set(key, (found.get(key) ?? new Set()).add(name));
      };
      return [reader, new Proxy(methods, { get: (target, method): unknown => (called(method), Reflect.get(target, method)) })];
    });
    // A record of some kinds is not found.
    await useCasesOf(Object.fromEntries(recorded))
      [name]?.execute(complete, widgetOnly)
      .catch(() => undefined);
  }
  return found;
}

/** The readers, all of whose methods reject. */
function rejecting(): Record<string, Record<string, unknown>> {
  const methods = ['list', 'byId', 'bySha', 'byKey', 'byRefs', 'present', 'sums', 'days', 'hours', 'search', 'unresolved'];
  const reject = () => Promise.reject(new Error('connection reset'));
  const reader = Object.fromEntries(methods.map((method) => [method, reject]));
  return Object.fromEntries(Object.keys(fakeReaders([])).map((name) => [name, { ...reader }]));
}

const METHODS = Object.entries(fakeReaders([])).flatMap(([reader, methods]) =>
  Array.isArray(methods) ? [] : Object.keys(methods).map((method) => [reader, method] as const),
);

describe('a call that fails', () => {
  let called: ReadonlyMap<string, ReadonlySet<string>>;
  beforeAll(async () => {
    called = await callers();
  });

  it.each([
    ['a filter left out', { limit: 5 }, widgetOnly],
    ['no permission', complete, { signal: widgetOnly.signal }],
    ['no signal', complete, { approved: widgetOnly.approved }],
    ['no context', complete, undefined],
    ['no input', undefined, widgetOnly],
  ])('rejects once, with %s', async (_what, input, context) => {
    expect(await uncaught(useCasesOf(fakeReaders(world)), input, context)).toEqual([]);
    expect(await uncaught(useCasesOf(rejecting()), input, context)).toEqual([]);
  });

  it.each(METHODS)('rejects once when %s.%s throws, whether the other readers answer or reject', async (reader, method) => {
    const broken = throwing(reader, method) as Record<string, Record<string, unknown>>;
    const others = rejecting();
    const oneThrows = { ...others, [reader]: { ...others[reader], [method]: broken[reader]?.[method] } };
    const names = called.get(`${reader}.${method}`) ?? NAMES;
    expect(await uncaught(useCasesOf(broken), complete, widgetOnly, names)).toEqual([]);
    expect(await uncaught(useCasesOf(oneThrows), complete, widgetOnly, names)).toEqual([]);
  });

  it('rejects once, whatever its input and context are', async () => {
    const garbage = fc.oneof(fc.constantFrom(undefined, null, 0, '', 'acme/widget', Symbol.iterator, {}), fc.anything());
    const input = fc.oneof(garbage, fc.record(Object.fromEntries(Object.keys(complete).map((name) => [name, garbage])), { requiredKeys: [] }));
    const context = fc.oneof(fc.constant(widgetOnly), fc.record({ approved: garbage, signal: garbage }, { requiredKeys: [] }));
    await fc.assert(
      fc.asyncProperty(input, context, async (anything, nothing) => {
        expect(await uncaught(useCasesOf(rejecting()), anything, nothing)).toEqual([]);
      }),
      { numRuns: process.env['VITRINE_TORTURE'] === '1' ? 200 : 12 },
    );
  });
});
