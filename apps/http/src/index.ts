export { buildContainer, type Parts } from './composition/container.js';
export type { Settings } from './composition/settings.js';
export { tokens } from './composition/tokens.js';
export { start, type Running, type StartOptions } from './composition/start.js';
export { StartError } from './composition/start-error.js';
export { createServer, type ServerOptions } from './http/server.js';
export { openApiDocument, openApiText } from './openapi/document.js';
