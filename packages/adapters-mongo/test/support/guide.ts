import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { BSON, type Document } from 'mongodb';

const GUIDE = readFileSync(join(__dirname, '../../../../docs/guides/stored-documents.md'), 'utf8');

/** The example documents in `docs/guides/stored-documents.md`, by the collection in the heading above them. */
export const EXAMPLES: ReadonlyMap<string, Document> = new Map(
  [...GUIDE.matchAll(/^### `(\w+)`$(?:(?!^#)[^])*?^```json\n([^]*?)^```/gm)].map(([, name = '', json = '']) => [
    name,
    BSON.EJSON.parse(json) as Document,
  ]),
);

export function exampleOf(collection: string): Document & { readonly _id: string } {
  const example = EXAMPLES.get(collection);
  if (example === undefined) throw new Error(`the guide shows no document of ${collection}`);
  return { ...example, _id: String(example['_id']) };
}

/** The function in the guide that computes the tag at the end of an id. */
export function guideTagOf(): (repositoryRef: string) => string {
  const code = /^```js\n([^]*?)^```/m.exec(GUIDE)?.[1] ?? '';
  return (new Function(`${code}; return tagOf;`) as () => (repositoryRef: string) => string)();
}
