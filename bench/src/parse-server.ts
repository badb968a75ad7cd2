// Serves the classes of the benchmark with Parse Server on a free port. Sends the port to its parent.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { answerParent } from './child-process.js';

/** The part of Parse Server that is used here. It has no types in this workspace, because it is installed elsewhere. */
interface ParseModule {
  readonly ParseServer: new (options: object) => { readonly start: () => Promise<unknown>; readonly app: RequestListener };
}

// Before it is loaded. Otherwise it creates a folder for logs.
process.env['PARSE_SERVER_LOGS_FOLDER'] = 'null';
const [folder = '', databaseURI = '', appId = ''] = process.argv.slice(2);
const { ParseServer } = createRequire(join(folder, 'package.json'))('parse-server') as ParseModule;

const parse = new ParseServer({
  databaseURI,
  // As many connections as Vitrine has.
  databaseOptions: { maxPoolSize: 20, minPoolSize: 2 },
  appId,
  masterKey: 'only for the benchmark',
  serverURL: 'http://127.0.0.1/',
  verifyServerUrl: false,
  allowClientClassCreation: false,
  silent: true,
  logLevel: 'error',
});
await parse.start();
const server = createServer(parse.app).listen(0, '127.0.0.1');
await once(server, 'listening');
answerParent({ port: (server.address() as AddressInfo).port }, { stays: true });
