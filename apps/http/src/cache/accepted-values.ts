/** One entry of a header such as `Accept` or `Accept-Encoding`. */
interface Entry {
  readonly value: string;
  /** 0 to 1; 0 means not acceptable. */
  readonly quality: number;
}

const QUALITY = /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;

/** The entries of a header of weighted values (RFC 9110, 12.4.2), in lower case and in their order. An entry with an invalid weight is not acceptable. */
export function acceptedValues(header: string): readonly Entry[] {
  return header.split(',').flatMap((text) => {
    const [value = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return value === '' ? [] : [{ value, quality: QUALITY.test(weight) ? Number(weight) : 0 }];
  });
}

/** The entry that counts for a value: the first of its patterns that the header has. @param patterns most specific first */
export function entryFor(entries: readonly Entry[], patterns: readonly string[]): Entry | undefined {
  for (const pattern of patterns) {
    const found = entries.find(({ value }) => value === pattern);
    if (found !== undefined) return found;
  }
  return undefined;
}
