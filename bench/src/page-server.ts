// Serves a store with its pages on a free port. Sends the port to its parent.
import { NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { DEFAULT_SITE } from '@vitrine/pages';
import { answerParent } from './child-process.js';
import { serveVitrine } from './serve-vitrine.js';

const [path = '', ...approved] = process.argv.slice(2);
/** The time goes on, as in production, so that nothing that expires is kept for ever. */
const clock = { now: () => NOW + Math.trunc(performance.now()) };
const store = await openSqliteStore({ clock, path });
const { readers } = store;
answerParent({ port: await serveVitrine({ readers, approved, clock, site: DEFAULT_SITE }, null) }, { stays: true });
