import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { validateXML } from 'xmllint-wasm';

const read = (file: string): string => readFileSync(join(__dirname, '..', file), 'utf8');

/** What is wrong with Atom documents, after the grammar of RFC 4287: lines that begin with the index of the document. xmllint reads all of them at once, because its start takes longer than its work. */
export async function atomFaults(documents: readonly string[]): Promise<readonly string[]> {
  const { errors } = await validateXML({
    xml: documents.map((contents, index) => ({ fileName: `${String(index)}.xml`, contents })),
    schema: [read('atom.rng')],
    extension: 'relaxng',
  });
  return errors.map(({ rawMessage }) => rawMessage);
}

const ajv = new Ajv2020({ strictRequired: false, allErrors: true });
formats.default(ajv);
const isJsonFeed = ajv.compile(JSON.parse(read('json-feed.schema.json')) as object);

/** What is wrong with a JSON Feed 1.1. */
export function jsonFeedFaults(document: string): readonly string[] {
  isJsonFeed(JSON.parse(document));
  return (isJsonFeed.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
}
