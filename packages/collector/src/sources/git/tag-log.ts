import { type Git, textOf } from './git.js';

export interface RawTag {
  readonly name: string;
  readonly sha: string;
  /** Seconds since 1970: the date of the tagger, or else of the commit; `null` if the tag has neither. */
  readonly published: number | null;
  /** The message of an annotated tag without its signature; otherwise `""`. */
  readonly message: string;
}

const DATES = ['taggerdate', '*taggerdate', '*committerdate', 'committerdate'].map((date) => `%(${date}:unix)`);
const MESSAGE = ['contents:signature', 'contents'].map((part) => `%(if:equals=tag)%(objecttype)%(then)%(${part})%(end)`);
const FORMAT = `--format=${['%(refname)', '%(objectname)', ...DATES, ...MESSAGE].join('%00')}%00`;
const FIELDS = 8;
const FIRST_DATE = 2;

export async function* readTags(git: Git): AsyncGenerator<RawTag, void, undefined> {
  let fields: string[] = [];
  for await (const tokens of git.tokens(['for-each-ref', FORMAT, 'refs/tags/'])) {
    for (const token of tokens) {
      fields.push(textOf(token));
      if (fields.length < FIELDS) continue;
      yield tagOf(fields);
      fields = [];
    }
  }
}

function tagOf(fields: readonly string[]): RawTag {
  const date = fields.slice(FIRST_DATE, FIRST_DATE + DATES.length).find((text) => text !== '');
  const [refname, signature, contents] = [field(fields, 0), field(fields, FIELDS - 2), field(fields, FIELDS - 1)];
  const message = signature === '' ? contents : contents.slice(0, contents.length - signature.length);
  // Each tag except the first begins with the line break that ends the previous one.
  return {
    name: refname.trimStart().slice('refs/tags/'.length),
    sha: field(fields, 1),
    published: date === undefined ? null : Number(date),
    message,
  };
}

function field(fields: readonly string[], index: number): string {
  return fields[index] ?? '';
}
