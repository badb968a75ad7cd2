/** A resource for suites: its location, or the reason why there is none. */
export type Found = { readonly value: string } | { readonly reason: string };

/** The resources that a run of Jest provides for its suites. */
export interface TestRun {
  /** The connection string of the server that all test files share. */
  readonly server: Found;
  /** Whether that server is removed after the run. */
  readonly isServerOwn: boolean;
  /** The path of a mongod, for suites that start their own servers. */
  readonly binary: Found;
}

/** Passes the resources to the test files, which run in other processes. */
export function announce(run: TestRun): void {
  process.env['VITRINE_TEST_RUN'] = JSON.stringify(run);
}

export function forget(): void {
  delete process.env['VITRINE_TEST_RUN'];
}

/** @throws Error outside the Jest project that starts the server */
export function testRun(): TestRun {
  const text = process.env['VITRINE_TEST_RUN'];
  if (text === undefined) throw new Error('no server was started for this file: name it *.mongo.test.ts');
  return JSON.parse(text) as TestRun;
}
