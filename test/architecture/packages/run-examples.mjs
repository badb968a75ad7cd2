// Runs examples one after the other, in the folder of an installed project, and every nth test of each. Writes what each logged and how many tests it registered.
import expect from 'expect';

const [, , type, count, nth] = process.argv;
const results = [];
const write = process.stdout.write.bind(process.stdout);
globalThis.expect = expect.expect ?? expect;
// The times that examples allow are for a machine that does nothing else.
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (milliseconds) => timeout(60 * milliseconds);

for (let index = 0; index < Number(count); index++) {
  const logged = [];
  const cases = [];
  globalThis.it = (name, run) => cases.push({ name, run });
  console.log = (...values) => logged.push(values.map(String).join(' '));
  const loaded = await import(`./${type}/example-${index}.js`);
  await (loaded.main ?? loaded.default?.main)?.();
  for (const { run } of cases.filter((_, place) => place % Number(nth) === 0)) await run();
  results.push({ logged, cases: cases.length });
}
write(JSON.stringify(results), () => process.exit(0));
