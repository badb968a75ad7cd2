import { InvalidInputError } from '../../kinds/domain-error.js';
import { isInstant } from '../../kinds/instant.js';
import { KINDS, type FilterOf, type ListedKind } from '../../kinds/kinds.js';
import { given, hasMethod, isObject, isText, mistakeIn, orNull, required, wholeUpTo } from '../../rules/rules-of-arguments.js';
import type { Rule, RulesOf } from '../../rules/rules-of-arguments.js';

/** Which arguments a use case takes. `createUseCases` checks them. */
export interface Takes<Input> {
  readonly input: RulesOf<Input>;
  /** The context holds the permission, because the use case reads what belongs to repositories. `or-null`: it can do without. */
  readonly permission: 'needed' | 'or-null' | 'none';
}

export function withPermission<Input>(input: RulesOf<Input>): Takes<Input> {
  return { input, permission: 'needed' };
}

export function withoutPermission<Input>(input: RulesOf<Input>): Takes<Input> {
  return { input, permission: 'none' };
}

export function needed(means: string, accepts: Rule['accepts'] = isText): Rule {
  return required({ accepts, means });
}

/** Of the fields of positions, those that are texts. The others are numbers. */
const TEXTS: ReadonlySet<string> = new Set(['id', 'fullName', 'type']);

/** A position may come back from a client. */
export function positionOf(...fields: readonly string[]): Rule {
  const accepts = (value: unknown): boolean =>
    fields.every((field) => {
      const part: unknown = isObject(value) ? Reflect.get(value, field) : undefined;
      return TEXTS.has(field) ? isText(part) : Number.isInteger(part);
    });
  return orNull({ accepts, means: 'what the page before has as next' });
}

/** A store looks for each value separately, and SQLite for at most 500 at once. */
const MOST_VALUES = 200;

export const filter = orNull({
  accepts: (value) => isText(value) || (Array.isArray(value) && value.length <= MOST_VALUES && value.every(isText)),
  means: `a text, a list of at most ${MOST_VALUES} texts`,
});
const instant = orNull({ accepts: isInstant, means: 'a time in milliseconds since 1970, such as Date.now()' });
export const range = { from: instant, to: instant };
export const repository = orNull({ accepts: isText, means: 'a text such as owner/name' });
export const limit = wholeUpTo(100);
export const timeList = { limit, after: positionOf('time', 'id'), ...range };

export function filtersOf<Kind extends ListedKind>(kind: Kind) {
  return Object.fromEntries(Object.keys(KINDS[kind].filters).map((name) => [name, filter])) as { readonly [Name in FilterOf<Kind>]: Rule };
}

export const byId = { id: needed('the id of a record, which is a text') };
export const byName = { fullName: needed('a text such as owner/name') };
export const byKey = { key: needed('the key of a service, which is a text') };

interface UseCase {
  readonly takes: Takes<object>;
  execute(input: object, context: object): Promise<unknown>;
}

/** Makes each use case reject wrong arguments: plain JavaScript can pass any. An input that is `undefined` is as one that was left out. */
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
