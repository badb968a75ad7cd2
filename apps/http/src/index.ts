export { buildContainer, type Parts } from './composition/container.js';
export type { Readers } from './composition/readers.js';
export type { Settings } from './composition/settings.js';
export { tokens } from './composition/tokens.js';
export { createServer, type ServerOptions } from './http/server.js';
export { openApiDocument, openApiText } from './openapi/document.js';
