export { createVitrineHandler, vitrinePresenters, type VitrineHandler, type VitrineHandlerOptions } from './composition/create-vitrine-handler.js';
export { siteFiles, type SiteFile, type SiteFilesOptions } from './composition/site-files.js';
export { siteOf } from './composition/handler-options.js';
export type { Presenters } from './views/presenters.js';
export { connectionClients } from './serving/client-address.js';
export { openApiDocument } from './openapi/document.js';
