import type { AnswerReaders } from '../ports/store.js';
import { assertOptions, CLOCK, required, type RulesOf, withMethod } from '../rules/rules-of-arguments.js';
import { checkArguments } from './check-arguments.js';
import { wireUseCases, type UseCaseOptions, type UseCases } from './wire-use-cases.js';

const OPTIONS: RulesOf<UseCaseOptions> = {
  clock: required(CLOCK),
  gateMonitor: withMethod('refused'),
  deadlines: withMethod('run'),
  board: withMethod('evidence'),
};

/**
 * All use cases over the readers of one store. A call with a wrong argument rejects with an error that names it. Make them once, and keep them for the life of
 * the process: they hold no state of a request.
 *
 * @throws TypeError when the value is not the readers of a store, or an option is missing, wrong or does not exist
 */
export function createUseCases(readers: AnswerReaders, options: UseCaseOptions): UseCases {
  assertReaders(readers);
  assertOptions('createUseCases', options, OPTIONS);
  const useCases = wireUseCases(readers, options);
  checkArguments(useCases);
  return useCases;
}

function assertReaders(readers: Partial<AnswerReaders> | null | undefined): void {
  if (readers?.repositories !== undefined) return;
  const isStore = typeof readers === 'object' && readers !== null && 'readers' in readers;
  throw new TypeError(
    isStore
      ? 'createUseCases needs the readers of a store, not the store. Call createUseCases(store.readers, { clock }).'
      : 'createUseCases needs the readers of a store. Call createUseCases(store.readers, { clock }).',
  );
}
