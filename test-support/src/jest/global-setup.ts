import { startTestServer } from './test-server.ts';

export { startTestServer as default };
