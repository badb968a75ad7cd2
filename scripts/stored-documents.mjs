import { writeFileSync } from 'node:fs';
import { STORED_SCHEMAS } from '../packages/adapters-mongo/dist/stored-schemas.js';

writeFileSync(new URL('../docs/api/stored-documents.json', import.meta.url), `${JSON.stringify(STORED_SCHEMAS, null, 2)}\n`);
console.log('docs/api/stored-documents.json is written');
