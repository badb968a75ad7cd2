'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { binOf, runChild } = require('./child.cjs');
const { compile } = require('./set-up.cjs');
const { compiledFiles, withTestFolder } = require('./test-folder.cjs');
const { root } = require('./workspace.cjs');

/** The file in which Jest stores the results of a run. .ci/run reads the counts from it. */
const RESULTS = '.cache/jest/results.json';
/** No suite and no tool is silent for so long, also on a slow machine. */
const SILENCE_MS = 20 * 60_000;

/** The cores of the smallest machine. Each loads all modules once. */
const WORKERS = 2;

/**
 * More room for new objects means less garbage collection; with twice as much, suites that start processes take a tenth longer. Most code runs a few times, so little is
 * optimized. A worker runs the same code again in later suites, so compiled code is kept even if it was not used for a while.
 */
const NODE_FLAGS = ['--min-semi-space-size=16', '--max-semi-space-size=32', '--interrupt-budget=1000000', '--no-flush-bytecode'];

/** Colours only on a terminal. */
const seen = process.stdout.isTTY === true;
const env = seen ? { FORCE_COLOR: '1', NO_COLOR: undefined } : { FORCE_COLOR: undefined, NO_COLOR: '1' };

/** For the compiler and the typed part of the linter. They take more memory and less of the processor; on two cores, the linter would check shared types twice. */
const GO_SETTINGS = { GOGC: '800', GOMAXPROCS: '1' };

const options = { silenceMs: SILENCE_MS, env: { ...env, ...GO_SETTINGS } };

const runFlagged = (file, args, settings) => runChild(process.execPath, [...NODE_FLAGS, file, ...args], settings);

const tool = (name, packageName, args, command = packageName) => ({ name, run: () => runFlagged(binOf(packageName, command), args, options) });

/** More threads would each check the types that they share, which takes half as much processor time again. */
const ONE_THREAD = '--singleThreaded';

/** Always run: some tests start the built programs, and the types of tests stand on the built declarations. */
const buildGate = { name: 'build', run: () => compile([ONE_THREAD], options) };

const testsGate = {
  name: 'tests',
  run: () => {
    const output = ['--json', `--outputFile=${RESULTS}`, `--cacheDirectory=${compiledFiles}`];
    const args = [seen ? '--color' : '--no-color', '--ci', `--maxWorkers=${WORKERS}`, ...output];
    return withTestFolder((folder) => runFlagged(binOf('jest'), args, { silenceMs: SILENCE_MS, env: { ...env, TMPDIR: folder } }));
  },
};

const typesGate = tool('types', 'typescript', ['-p', 'tsconfig.json', ONE_THREAD], 'tsc');

/** Need no build, because they only read sources. */
const sourceGates = [tool('lint', 'oxlint', []), tool('unused', 'knip', ['--no-progress']), tool('format', 'oxfmt', ['--check'])];

const gates = [buildGate, testsGate, typesGate, ...sourceGates];

/** What Jest has stored; nothing if it could not run. */
function jestResults() {
  const file = path.join(root, RESULTS);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
}

function testCounts() {
  const { numPassedTests, numFailedTests, numPendingTests } = jestResults();
  return numPassedTests === undefined ? '' : `   ${numPassedTests} passed, ${numFailedTests} failed, ${numPendingTests} skipped`;
}

/** Linux counts processor time in hundredths of a second, whatever its own clock is. */
const TICKS_PER_SECOND = 100;

/** Seconds that processors have worked for this process and for all that have ended below it. NaN where no Linux counts them. */
function processorSeconds() {
  try {
    // The name of the program, in parentheses, may contain spaces. From the state on, fields 11 to 14 are: user, system, and both of the processes that have ended.
    const fields = fs.readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    return NaN;
  }
}

/** For a run without a database: how many suites were skipped, and the line that says why. */
function skippedSuites(output) {
  const skipped = (jestResults().testResults ?? []).flatMap(({ assertionResults }) => assertionResults.filter(({ status }) => status === 'pending'));
  const count = new Set(skipped.map(({ ancestorTitles }) => ancestorTitles[0])).size;
  const reasons = output.match(/^No (MongoDB|mongod|Chromium) .*$/gmu) ?? [];
  return count === 0 ? '' : [`\n${count} suites of tests SKIPPED`, ...new Set(reasons)].join('\n');
}

async function runGate(gate) {
  const result = await gate.run();
  const note = gate.name === 'tests' ? testCounts() : '';
  if (!result.ok) process.stdout.write(`\n----- ${gate.name} -----\n${result.output}\n`);
  process.stdout.write(`${result.ok ? 'ok    ' : 'FAILED'} ${gate.name.padEnd(8)} ${result.seconds.toFixed(1).padStart(6)} s${note}\n`);
  return { name: gate.name, ok: result.ok, skipped: gate.name === 'tests' ? skippedSuites(result.output) : '' };
}

/** Runs two gates at a time: the build and then the tests, which take longest, beside all others. */
async function runAll(isWanted) {
  const results = [];
  const run = async (gate) => {
    if (gate === buildGate || isWanted(gate)) results.push(await runGate(gate));
  };
  const built = run(buildGate);
  const beside = async () => {
    for (const gate of sourceGates) await run(gate);
    await built;
    await run(typesGate);
  };
  await Promise.all([built.then(() => run(testsGate)), beside()]);
  return results;
}

async function runGates(names) {
  const started = Date.now();
  const unknown = names.filter((name) => !gates.some((gate) => gate.name === name));
  if (unknown.length > 0) {
    process.stderr.write(`No such gate: ${unknown.join(', ')}; there are: ${gates.map((gate) => gate.name).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  fs.rmSync(path.join(root, RESULTS), { force: true });
  fs.mkdirSync(path.dirname(path.join(root, RESULTS)), { recursive: true });
  const results = await runAll((gate) => names.length === 0 || names.includes(gate.name));
  const failed = results.filter((result) => !result.ok).map((result) => result.name);
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  const passed = failed.length === 0 ? `All ${results.length} gates passed in ${seconds} s` : `Failed: ${failed.join(', ')} (${seconds} s)`;
  process.stdout.write(`\n${passed}\n`);
  const used = processorSeconds();
  if (!Number.isNaN(used)) process.stdout.write(`${used.toFixed(0)} s of processor time\n`);
  for (const { skipped } of results) if (skipped !== '') process.stdout.write(`${skipped}\n`);
  if (failed.length > 0) process.exitCode = 1;
}

module.exports = runGates;
