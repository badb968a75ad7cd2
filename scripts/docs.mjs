import { writeFileSync } from 'node:fs';
import { openApiText } from '../apps/http/dist/openapi/document.js';
import { STORED_SCHEMAS } from '../packages/adapters-mongo/dist/store-admin.js';

const files = { 'openapi.json': openApiText(), 'stored-documents.json': `${JSON.stringify(STORED_SCHEMAS, null, 2)}\n` };
for (const [name, text] of Object.entries(files)) {
  writeFileSync(new URL(`../docs/api/${name}`, import.meta.url), text);
  console.log(`docs/api/${name} is written`);
}
