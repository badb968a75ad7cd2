import { InvalidInputError } from '../kinds/domain-error.js';
import { given, hasMethod, isObject, mistakeIn } from '../rules/rules-of-arguments.js';
import type { Takes } from './shared/arguments.js';

interface UseCase {
  readonly takes: Takes<object>;
  execute(input: object, context: object): Promise<unknown>;
}

/**
 * Makes each use case reject wrong arguments: plain JavaScript can pass any, and even TypeScript lets `undefined` and any number pass.
 * An input that is `undefined` is as one that was left out.
 */
export function checkArguments(useCases: Readonly<Record<string, UseCase>>): void {
  for (const [name, useCase] of Object.entries(useCases)) {
    const execute = useCase.execute.bind(useCase);
    useCase.execute = async (input, context) => {
      assertContext(name, useCase.takes, input, context);
      const values = given(input);
      const mistake = mistakeIn({ ...values }, { ...useCase.takes.input });
      if (mistake !== null) throw new InvalidInputError(mistake.name, mistake.detail);
      return execute(values, context);
    };
  }
}

/** By the shapes of its parts, because a process may have two realms, and two copies of the core. */
function assertContext(name: string, { permission }: Takes<object>, input: unknown, context: unknown): void {
  const call = `Call ${name}.execute({ … }, ${permission === 'none' ? '{ signal }' : '{ approved, signal }'})`;
  if (!isObject(input) || !isObject(context)) throw new TypeError(`${name} needs an input and a context. ${call}.`);
  const { approved, signal } = context as Readonly<Record<string, unknown>>;
  if (!hasMethod(signal, 'throwIfAborted'))
    throw new TypeError(`${name} needs a signal in its context. ${call} with an AbortSignal, such as AbortSignal.timeout(1_000).`);
  if (!isPermitted(approved, permission))
    throw new TypeError(`${name} needs a permission in its context. ${call} with approved: allowlist.approved().`);
}

function isPermitted(approved: unknown, permission: Takes<object>['permission']): boolean {
  return permission === 'none' || hasMethod(approved, 'admits') || (approved === null && permission === 'or-null');
}
