import type { ValidationArguments } from 'class-validator';
import { registerDecorator } from 'class-validator/cjs/register-decorator.js';
import type { Limits, ParameterCode } from './violation.js';

/** A JSON Schema of draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** What is known of one query parameter: the same facts validate it and document it. */
export interface ParameterDefinition {
  readonly name: string;
  readonly description: string;
  readonly schema: JsonSchema;
  /** A value that works as it is; `null` where none can, because only the service makes values. */
  readonly example: string | number | null;
  readonly required: boolean;
  readonly limits: Limits;
  /** The one text for all spellings of a value; absent: the value itself. Values that select the same records have the same text. */
  readonly canonical?: (value: string) => string;
}

/** One rule over a value within the whole query: `null`, or the problem, which follows the name of the parameter. */
export interface Rule {
  readonly code: ParameterCode;
  readonly check: (value: string, query: object) => string | null;
}

type QueryClass = abstract new () => object;

const definitions = new Map<object, ParameterDefinition[]>();

/** A decorator that registers a query parameter: its rules with class-validator, its documentation here. The first broken rule counts. */
export function parameter(
  definition: Omit<ParameterDefinition, 'name' | 'required' | 'example'> & Partial<Pick<ParameterDefinition, 'required' | 'example'>>,
  ...rules: readonly Rule[]
) {
  return (prototype: object, name: string): void => {
    const own = definitions.get(prototype) ?? [];
    definitions.set(prototype, [...own, { required: false, example: null, ...definition, name }]);
    rules.forEach((rule, index) => {
      const earlier = rules.slice(0, index);
      const verdict = (value: unknown, query: object): string | null => {
        if (typeof value !== 'string' || earlier.some((other) => other.check(value, query) !== null)) return null;
        return rule.check(value, query);
      };
      registerDecorator({
        name: rule.code,
        target: prototype.constructor,
        propertyName: name,
        validator: {
          validate: (value: unknown, at?: ValidationArguments) => verdict(value, at?.object ?? {}) === null,
          defaultMessage: (at?: ValidationArguments) => verdict(at?.value, at?.object ?? {}) ?? '',
        },
      });
    });
  };
}

/** The parameters of a query class, those of its base classes first. */
export function parametersOf(query: QueryClass): readonly ParameterDefinition[] {
  const prototypes: object[] = [];
  for (let at: object | null = prototypeOf(query); at !== null && at !== Object.prototype; at = parentOf(at)) prototypes.unshift(at);
  return prototypes.flatMap((prototype) => definitions.get(prototype) ?? []);
}

function prototypeOf(query: QueryClass): object {
  const prototype: unknown = query.prototype;
  return typeof prototype === 'object' && prototype !== null ? prototype : {};
}

function parentOf(prototype: object): object | null {
  const parent: unknown = Object.getPrototypeOf(prototype);
  return typeof parent === 'object' ? parent : null;
}
