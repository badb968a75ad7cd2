// Serves a store on a free port. Sends the port to its parent.
import { NOW } from '@vitrine/core/testing';
import { openSqliteStore } from '@vitrine/adapters-sqlite';
import { answerParent } from './child-process.js';

const [path = '', ...approved] = process.argv.slice(2);
/** The time continues from that of the newest records, as in production, so that cache entries expire. */
const clock = { now: () => NOW + Math.trunc(performance.now()) };
const store = await openSqliteStore({ clock, path });
// As the server does: its modules load while the store reads.
const { serveVitrine } = await import('./serve-vitrine.js');
const { readers, changeFeed } = store;
answerParent({ port: await serveVitrine({ readers, changeFeed, approved, clock }, null) }, { stays: true });
