import { TestDatabases } from './test-databases.ts';
import { testRun, type Found } from './test-run.ts';

/**
 * A suite that needs a MongoDB server. Without one it is skipped, or fails where REQUIRE_MONGO is 1.
 * @param suite gets databases that are its own and are dropped when it is over
 */
export function describeMongo(title: string, suite: (databases: TestDatabases) => void): void {
  describeWith(title, testRun().server, (uri) => {
    const databases = new TestDatabases(uri);
    afterAll(() => databases.drop());
    suite(databases);
  });
}

function describeWith(title: string, found: Found, suite: (value: string) => void): void {
  if ('value' in found) {
    describe(title, () => {
      suite(found.value);
    });
  } else if (process.env['REQUIRE_MONGO'] === '1') {
    it(`${title}: there is a MongoDB server`, () => {
      throw new Error(found.reason);
    });
  } else {
    describe.skip(title, () => {
      it('needs a MongoDB server', () => undefined);
    });
  }
}
