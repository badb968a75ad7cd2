import { stopTestServer } from './test-server.ts';

export { stopTestServer as default };
