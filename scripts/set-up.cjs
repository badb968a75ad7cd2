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

async function installAnew() {
  const wanted = dependenciesFingerprint();
  const args = ['install', '--frozen-lockfile', '--config.confirmModulesPurge=false'];
  const done = await step(`Installing dependencies with ${packageManager()}`, () => runPackageManager(args));
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

/**
 * Whether this folder is a compiled copy to run as it is. Its user often may not write to it. Either sources are missing, as in the image, so it cannot be
 * compiled. Or it was pruned and then copied without hidden files, so nothing says for which sources it was compiled. A clone is never such a copy.
 */
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

/**
 * Removes everything that the built program does not need at run time. With this
 * pattern, the server still finds the packages that `@vitrine/http` does not depend on. Without this age, the package manager would keep the removed dependencies for a week.
 * @returns {Promise<boolean>}
 */
async function prune() {
  const args = [
    'install',
    '--prod',
    '--frozen-lockfile',
    '--config.public-hoist-pattern=@vitrine/*',
    '--config.confirmModulesPurge=false',
    '--config.modules-cache-max-age=0',
  ];
  const done = await step('Removing dependencies of builds and tests', () => runPackageManager(args));
  if (done) installed.write(dependenciesFingerprint());
  return done;
}

module.exports = { install, installTools, compile, build, makeReady, prune };
