'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { binOf, runNode } = require('./child.cjs');
const { root, packageFolders } = require('./workspace.cjs');
const { packageManager, runPackageManager } = require('./package-manager.cjs');
const removeStale = require('./remove-stale.cjs');
const { dependenciesFingerprint, sourcesFingerprint, stamp } = require('./fingerprint.cjs');

const installed = stamp('node_modules/.vitrine-installed');
const built = stamp('.cache/built');

/** Prints the step on one line of standard error. The output of the step is shown only if it fails. */
async function step(title, run) {
  process.stderr.write(`${title} ... `);
  const result = await run();
  process.stderr.write(result.ok ? `${result.seconds.toFixed(1)} s\n` : `failed\n\n${result.output}\n`);
  return result.ok;
}

/** Installs the dependencies of the lockfile. @returns {Promise<boolean>} false after a failure, which was shown */
async function install() {
  const isDone = installed.matches(dependenciesFingerprint()) && fs.existsSync(path.join(root, 'node_modules', '.pnpm'));
  return isDone || installAnew();
}

/** The same with the dependencies for builds and tests, which `npm run prune` removes. */
async function installTools() {
  return fs.existsSync(path.join(root, 'node_modules', 'typescript')) ? install() : installAnew();
}

async function installAnew(title = `Installing dependencies with ${packageManager()}`, flags = []) {
  const wanted = dependenciesFingerprint();
  const done = await step(title, () => runPackageManager(['install', '--frozen-lockfile', '--config.confirmModulesPurge=false', ...flags]));
  if (done) installed.write(wanted);
  return done;
}

const exists = (name) => fs.existsSync(path.join(root, name));

function isCompiled() {
  return packageFolders().every((folder) => exists(path.join(folder, 'dist')));
}

/** Compiles changed packages. @param options as for `runNode` @returns the result of the compiler */
async function compile(flags = [], options = {}) {
  const wanted = sourcesFingerprint();
  const result = await runNode(binOf('typescript', 'tsc'), ['-b', 'tsconfig.build.json', ...flags], options);
  if (!result.ok) return result;
  for (const folder of packageFolders()) removeStale(path.join(root, folder));
  built.write(wanted);
  return result;
}

/** The same, unless nothing has changed. @returns {Promise<boolean>} false after a failure, which was shown */
async function build() {
  if (isCompiled() && built.matches(sourcesFingerprint())) return true;
  return (await installTools()) && step('Building', compile);
}

/** Whether this is a compiled copy to run as it is, and no clone: without sources, as in the image, or pruned and copied without hidden files. */
function isCopyToRun() {
  if (exists('.git') || !isCompiled() || !exists('apps/http/dist/main.js') || !exists('apps/collector/dist/main.js')) return false;
  if (!exists('test-support/src')) return true;
  const isPruned = !exists('node_modules/typescript') && installed.matches(dependenciesFingerprint());
  return isPruned && !exists('.cache/built');
}

/** Installs and compiles the dependencies of a program. @returns {Promise<boolean>} false after a failure, which was shown */
async function makeReady() {
  return isCopyToRun() || ((await install()) && build());
}

/** Removes everything that the built program does not need at run time. */
function prune() {
  // With this pattern, the server still finds the packages that `@vitrine/http` does not depend on. Without this age, removed dependencies would be kept for a week.
  const config = ['--config.public-hoist-pattern=@vitrine/*', '--config.modules-cache-max-age=0'];
  return installAnew('Removing dependencies of builds and tests', ['--prod', ...config]);
}

module.exports = { install, installTools, compile, build, makeReady, prune };
