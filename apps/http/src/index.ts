export { createVitrineHandler, type VitrineHandler, type VitrineHandlerOptions } from './composition/create-vitrine-handler.js';
export { siteFiles, type SiteFile, type SiteFilesOptions } from './composition/site-files.js';
export { siteOf } from './composition/site.js';
export { vitrinePresenters } from './composition/vitrine-presenters.js';
export type { Presenters } from './presenters/create-presenters.js';
export { connectionClients } from './composition/connection-client.js';
export { openApiDocument } from './openapi/document.js';
