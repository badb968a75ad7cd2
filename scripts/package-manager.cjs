'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { runChild } = require('./child.cjs');
const { root } = require('./workspace.cjs');

const shell = process.platform === 'win32';

/** The pinned version in package.json: `pnpm@1.2.3+sha512.<hex>`. */
function pinned() {
  const { packageManager } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const [, name, version, sha512] = /^([a-z]+)@([0-9.]+)\+sha512\.([0-9a-f]{128})$/.exec(packageManager);
  return { name, version, sha512, archive: `.cache/${name}-${version}.tgz` };
}

/** @returns {string | null} `null` if the archive does not exist */
function sha512Of(archive) {
  const file = path.join(root, archive);
  return fs.existsSync(file) ? createHash('sha512').update(fs.readFileSync(file)).digest('hex') : null;
}

/** Downloads the archive (or takes it from npm's cache), unless the correct one already exists. */
async function fetched({ name, version, sha512, archive }) {
  if (sha512Of(archive) === sha512) return { ok: true };
  fs.mkdirSync(path.join(root, '.cache'), { recursive: true });
  const args = ['pack', `${name}@${version}`, '--prefer-offline', '--ignore-scripts', '--pack-destination', '.cache'];
  const result = await runChild('npm', args, { shell });
  const found = result.ok ? sha512Of(archive) : sha512;
  if (found === sha512) return result;
  fs.rmSync(path.join(root, archive), { force: true });
  const output = `The archive of ${name}@${version} that npm gave has the SHA-512 ${found}, but package.json pins ${sha512}.
It was not run. Run "npm cache clean --force" and try again; if that does not help, ask whoever runs your package registry.\n`;
  return { ...result, ok: false, output };
}

/** The package manager's name and version. */
function packageManager() {
  const { name, version } = pinned();
  return `${name}@${version}`;
}

/** Runs the package manager exactly as package.json pins it: nothing has to be installed globally, and nothing is run whose checksum is another. */
async function runPackageManager(args) {
  const pin = pinned();
  const result = await fetched(pin);
  return result.ok ? runChild('npx', ['--yes', `--package=file:${pin.archive}`, pin.name, ...args], { shell }) : result;
}

module.exports = { packageManager, runPackageManager };
