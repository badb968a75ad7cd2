/** A text in each language. */
export interface Both<Text> {
  readonly en: Text;
  readonly de: Text;
}

export function both<Text>(en: Text, de: NoInfer<Text>): Both<Text> {
  return { en, de };
}

/** A string for each `{}` of a text. */
type ValuesOf<Text extends string> = Text extends `${string}{}${infer Rest}` ? readonly [value: string, ...ValuesOf<Rest>] : readonly [];

/** The same for a text with values, each of which replaces a `{}`. */
export function bothWith<Text extends string>(en: Text, de: string): Both<(...values: ValuesOf<Text>) => string> {
  return { en: withValues(en), de: withValues(de) };
}

type Forms = readonly [one: string, many: string];

/** The same for a text with a count, which comes twice: as a number, and as it is written at `{}`. */
export function bothCounted(en: Forms, de: Forms): Both<(count: number, text: string) => string> {
  return { en: withCount(en), de: withCount(de) };
}

function withValues(text: string): (...values: readonly string[]) => string {
  const [first = '', ...others] = text.split('{}');
  return (...values) => others.reduce((before, part, index) => before + (values[index] ?? '') + part, first);
}

function withCount([one, many]: Forms): (count: number, text: string) => string {
  const [ofOne, ofMany] = [withValues(one), withValues(many)];
  return (count, text) => plural(count, ofOne, ofMany)(text);
}

/** The form for one, or for any other number. */
export function plural<Form>(count: number, one: Form, many: Form): Form {
  return count === 1 ? one : many;
}
