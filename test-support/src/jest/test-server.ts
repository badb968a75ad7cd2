import { MongoClient } from 'mongodb';
import { findMongod } from '../mongod/find-mongod.ts';
import { ReplicaSet } from '../servers/replica-set.ts';
import { announce, forget, type Found } from './test-run.ts';

const HOW = 'put a mongod on the PATH, name one in MONGOMS_SYSTEM_BINARY, or a server whose databases may be lost in VITRINE_TEST_MONGODB_URI';

const PATIENCE_MS = 5_000;

/** The setting of Jest that says whether it stays running to run the tests again. */
interface RunMode {
  readonly watch: boolean;
  readonly watchAll: boolean;
}

let own: ReplicaSet | null = null;

/** Finds or starts the server of this run, and announces it to the test files. */
export async function startTestServer(): Promise<void> {
  const given = process.env['VITRINE_TEST_MONGODB_URI'];
  // If a server is given, do not wait for the download of another one.
  const binary = await attempt(() => (given ? findMongod(process.env, []) : findMongod()));
  const server = given ? await attempt(() => reach(given)) : await started(binary);
  announce({ server, isServerOwn: own !== null, binary });
  if ('reason' in server) complain('No MongoDB server', server.reason);
  else if ('reason' in binary) complain('No mongod to start more servers with', binary.reason);
}

export async function stopTestServer({ watch, watchAll }: RunMode): Promise<void> {
  forget();
  await own?.stop();
  own = null;
  if (!watch && !watchAll) setTimeout(leaveAnyway, PATIENCE_MS).unref();
}

/** A failed test may have left a client open, whose monitoring would keep Jest running forever. */
function leaveAnyway(): never {
  process.stderr.write('Something still holds Jest up, probably a MongoDB client that a test left open; leaving without it\n');
  process.exit();
}

async function attempt(look: () => Promise<string>): Promise<Found> {
  try {
    return { value: await look() };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

async function started(binary: Found): Promise<Found> {
  if ('reason' in binary) return binary;
  return attempt(async () => {
    // A set with one member, so that read concern `majority` has an effect.
    own = await ReplicaSet.start(binary.value, 1);
    return own.uri;
  });
}

async function reach(uri: string): Promise<string> {
  const client = new MongoClient(uri, { serverSelectionTimeoutMS: 5_000 });
  try {
    await client.db('admin').command({ ping: 1 });
    return uri;
  } catch (error) {
    throw new Error(`VITRINE_TEST_MONGODB_URI: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  } finally {
    await client.close();
  }
}

function complain(what: string, reason: string): void {
  const outcome = process.env['REQUIRE_MONGO'] === '1' ? 'fail' : 'are skipped';
  process.stderr.write(`\n${what}: the suites that need one ${outcome}. Why: ${reason.replaceAll(/\s+/gu, ' ')}. How to get one: ${HOW}\n`);
}
