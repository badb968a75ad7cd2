import { mkdirSync, writeFileSync } from 'node:fs';
import { openApiText } from '../apps/http/dist/openapi/document.js';

const folder = new URL('../docs/api/', import.meta.url);
mkdirSync(folder, { recursive: true });
writeFileSync(new URL('openapi.json', folder), openApiText());
console.log('docs/api/openapi.json is written');
