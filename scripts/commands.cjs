'use strict';
const path = require('node:path');
const { pathToFileURL } = require('node:url');
const { binOf, runNode, giveSignalsAway } = require('./child.cjs');
const { root } = require('./workspace.cjs');
const { installTools, build, makeReady, prune } = require('./set-up.cjs');

/** npm runs scripts in the folder of package.json, but the paths that a user types are relative to where npm was called. The configuration is still the one here. */
function goWhereNpmWasCalled(command) {
  const { npm_lifecycle_event: script, INIT_CWD: called = '', VITRINE_CONFIG: named = '' } = process.env;
  if (script !== command || !path.isAbsolute(called) || path.relative(called, process.cwd()) === '') return;
  const own = path.resolve('vitrine.yaml');
  process.chdir(called);
  if (named.trim() === '') process.env.VITRINE_CONFIG = path.relative(called, own);
}

/** Runs a built program in this process, with its signals, terminal and exit code. @param {string} [command] a command that is given files of the user */
function program(file, command) {
  return async (args) => {
    if (command !== undefined) goWhereNpmWasCalled(command);
    const main = path.join(root, file);
    process.argv = [process.argv[0], main, ...args];
    giveSignalsAway();
    await import(pathToFileURL(main).href);
  };
}

function jest(flags, env) {
  return async (args) => {
    const { code } = await runNode(binOf('jest'), [...flags, ...args], { inherit: true, env });
    process.exitCode = code;
  };
}

async function packInto([folder = 'packed']) {
  try {
    for (const file of await require('./pack.cjs').pack(folder)) process.stdout.write(`${path.relative(process.cwd(), file)}\n`);
  } catch (error) {
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/** The commands of package.json, and the steps that must be done before each of them. */
const commands = {
  start: { before: [makeReady], run: program('apps/http/dist/main.js', 'start') },
  vitrine: { before: [makeReady], run: program('apps/collector/dist/main.js', 'vitrine') },
  build: { before: [installTools, build], run: () => undefined },
  prune: { before: [build, prune], run: () => undefined },
  pack: { before: [installTools, build], run: packInto },
  test: { before: [installTools], run: (args) => require('./gates.cjs')(args) },
  torture: { before: [installTools, build], run: jest(['--runInBand'], { VITRINE_TORTURE: '1' }) },
  coverage: { before: [installTools, build], run: jest(['--coverage', '--coverageProvider=v8']) },
  bench: { before: [installTools, build], run: program('bench/dist/main.js') },
  lighthouse: { before: [installTools, build], run: () => program('bench/dist/main.js')(['lighthouse']) },
  pictures: { before: [installTools, build], run: program('scripts/pictures.mjs') },
  docs: { before: [installTools, build], run: program('scripts/docs.mjs') },
  'test:nodes': { before: [installTools, build], run: (args) => require('./test-nodes.cjs')(args) },
};

async function runCommand(name, args) {
  const command = commands[name];
  if (command === undefined) {
    process.stderr.write(`Unknown command ${name ?? ''}; there are: ${Object.keys(commands).join(', ')}\n`);
    process.exitCode = 2;
    return;
  }
  for (const prepare of command.before) {
    if (await prepare()) continue;
    process.exitCode ||= 1;
    return;
  }
  await command.run(args);
}

module.exports = runCommand;
