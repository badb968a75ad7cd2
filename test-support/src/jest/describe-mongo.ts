import { TestDatabases } from './test-databases.ts';
import { TestServers } from './test-servers.ts';
import { testRun, type Found } from './test-run.ts';

/**
 * A suite that needs a MongoDB server. Without a server it is skipped, or fails if REQUIRE_MONGO is 1.
 * @param suite receives databases, which no other suite uses at the same time
 */
export function describeMongo(title: string, suite: (databases: TestDatabases) => void): void {
  const { server, isServerOwn } = testRun();
  describeWith(title, server, (uri) => {
    const databases = new TestDatabases(uri, isServerOwn);
    afterAll(() => databases.release());
    suite(databases);
  });
}

/**
 * A suite that starts its own servers, to kill them, freeze them, or use access control. It is skipped or fails as in describeMongo.
 * @param suite receives an object that starts servers, and ends them at the end
 */
export function describeMongod(title: string, suite: (servers: TestServers) => void): void {
  const { server, isServerOwn, binary: found } = testRun();
  describeWith(title, found, (binary) => {
    const servers = new TestServers(binary, isServerOwn && 'value' in server ? server.value : null);
    afterAll(() => servers.end());
    suite(servers);
  });
}

function describeWith(title: string, found: Found, suite: (value: string) => void): void {
  if ('value' in found) {
    describe(title, () => suite(found.value));
  } else if (process.env['REQUIRE_MONGO'] === '1') {
    it(`${title}: there is a MongoDB server`, () => {
      throw new Error(found.reason);
    });
  } else {
    describe.skip(title, () => it('needs a MongoDB server', () => undefined));
  }
}
