'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { runChild, runNode } = require('./child.cjs');
const { root } = require('./workspace.cjs');

const shell = process.platform === 'win32';

/** The pinned version in package.json: `pnpm@1.2.3+sha512.<hex>`. */
function pinned() {
  const { packageManager } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [, name, version, sha512] = /^([a-z]+)@([0-9.]+)\+sha512\.([0-9a-f]{128})$/.exec(packageManager);
  return { name, version, sha512 };
}

function packageManager() {
  const { name, version } = pinned();
  return `${name}@${version}`;
}

const manifestIn = (folder, name) => path.join(folder, 'node_modules', name, 'package.json');

/** Lets npm install the package manager once. npm refuses an archive whose checksum is not the one in the lockfile. */
async function installedOnce({ name, version, sha512 }) {
  const folder = path.join(root, `.cache/${name}-${version}-${sha512.slice(0, 16)}`);
  if (fs.existsSync(manifestIn(folder, name))) return { ok: true, folder };
  // Two commands may do so at once: each installs into a separate folder, and the first to finish wins.
  const own = `${folder}.${process.pid}`;
  const manifest = { private: true, dependencies: { [name]: version } };
  const integrity = `sha512-${Buffer.from(sha512, 'hex').toString('base64')}`;
  const lockfile = { lockfileVersion: 3, packages: { '': manifest, [`node_modules/${name}`]: { version, integrity } } };
  fs.mkdirSync(own, { recursive: true });
  fs.writeFileSync(path.join(own, 'package.json'), JSON.stringify(manifest));
  fs.writeFileSync(path.join(own, 'package-lock.json'), JSON.stringify(lockfile));
  const flags = ['--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  const result = await runChild('npm', ['ci', '--prefix', own, ...flags], { shell });
  if (result.ok) keep(own, folder);
  fs.rmSync(own, { recursive: true, force: true });
  return { ...result, folder };
}

/** Gives a folder its name, unless another command was first. */
function keep(own, folder) {
  try {
    fs.renameSync(own, folder);
  } catch (error) {
    if (!fs.existsSync(folder)) throw error;
  }
}

/** Runs the package manager exactly as package.json pins it: nothing has to be installed globally, and nothing is run whose checksum is another. */
async function runPackageManager(args) {
  const pin = pinned();
  const result = await installedOnce(pin);
  if (!result.ok) return result;
  const manifest = manifestIn(result.folder, pin.name);
  const { bin } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  return runNode(path.join(path.dirname(manifest), bin[pin.name]), args);
}

module.exports = { packageManager, runPackageManager };
