'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { binOf, runNode } = require('./child.cjs');
const { root, packageFolders } = require('./workspace.cjs');
const { packageManager, runPackageManager } = require('./package-manager.cjs');
const { dependenciesFingerprint, sourcesFingerprint, stamp } = require('./fingerprint.cjs');

const installed = stamp('node_modules/.vitrine-installed');
const built = stamp('.cache/built');

/** Says what it does on one line of stderr; the output of the step is seen only when it fails. */
async function step(title, run) {
  process.stderr.write(`${title} ... `);
  const result = await run();
  process.stderr.write(result.ok ? `${result.seconds.toFixed(1)} s\n` : `failed\n\n${result.output}\n`);
  return result.ok;
}

/** Dependencies as the lockfile says. @returns {Promise<boolean>} false after a failure that has been shown */
async function install() {
  const isDone = installed.matches(dependenciesFingerprint()) && fs.existsSync(path.join(root, 'node_modules', '.pnpm'));
  return isDone || installAnew();
}

/** The same with what builds and tests: a tree that was made ready to deploy has lost it. */
async function installTools() {
  return fs.existsSync(path.join(root, 'node_modules', 'typescript')) ? install() : installAnew();
}

async function installAnew() {
  const wanted = dependenciesFingerprint();
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false'];
  const done = await step(`Installing dependencies with ${packageManager()}`, () => runPackageManager(args));
  if (done) installed.write(wanted);
  return done;
}

/** Compiles what has changed. @returns {Promise<boolean>} false after a failure that has been shown */
async function build() {
  const wanted = sourcesFingerprint();
  const complete = packageFolders().every((folder) => fs.existsSync(path.join(root, folder, 'dist')));
  if (complete && built.matches(wanted)) return true;
  if (!(await installTools())) return false;
  const done = await step('Building', () => runNode(binOf('typescript', 'tsc'), ['-b']));
  if (done) built.write(wanted);
  return done;
}

/**
 * Keeps what the built program needs at run time. Without the age the package manager would keep what builds and tests for a week, in case it is needed again.
 * @returns {Promise<boolean>}
 */
async function prune() {
  const args = ['install', '--prod', '--frozen-lockfile', '--config.confirmModulesPurge=false', '--config.modules-cache-max-age=0'];
  const done = await step('Removing what only builds and tests', () => runPackageManager(args));
  if (done) installed.write(dependenciesFingerprint());
  return done;
}

module.exports = { install, installTools, build, prune };
