/** A text in each language. */
export interface Both<Text> {
  readonly en: Text;
  readonly de: Text;
}

export function both<Text>(en: Text, de: NoInfer<Text>): Both<Text> {
  return { en, de };
}

/** The same for a text with a value, whose place is `{}`. */
export function bothWith(en: string, de: string): Both<(value: string) => string> {
  return { en: withValue(en), de: withValue(de) };
}

type Forms = readonly [one: string, many: string];

/** The same for a text with a count, which comes twice: as a number, and as it is written at `{}`. */
export function bothCounted(en: Forms, de: Forms): Both<(count: number, text: string) => string> {
  return { en: withCount(en), de: withCount(de) };
}

function withValue(text: string): (value: string) => string {
  const [before = '', after = ''] = text.split('{}');
  return text.includes('{}') ? (value) => before + value + after : () => text;
}

function withCount([one, many]: Forms): (count: number, text: string) => string {
  const [ofOne, ofMany] = [withValue(one), withValue(many)];
  return (count, text) => plural(count, ofOne, ofMany)(text);
}

/** The form for one, or for any other number. */
export function plural<Form>(count: number, one: Form, many: Form): Form {
  return count === 1 ? one : many;
}
