'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { runChild, runNode } = require('./child.cjs');
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

/** The package manager's own manifest below a folder that npm has unpacked it into. */
const manifestIn = (folder, { name }) => path.join(folder, 'node_modules', name, 'package.json');

/** Unpacks the archive once, after its checksum was seen: npx would do so each time, which takes seconds. */
async function unpacked(pin) {
  const folder = path.join(root, `.cache/${pin.name}-${pin.version}-${pin.sha512.slice(0, 16)}`);
  if (fs.existsSync(manifestIn(folder, pin))) return { ok: true, folder };
  const got = await fetched(pin);
  if (!got.ok) return got;
  // Two commands may do so at once: each unpacks into a separate folder, and the first to finish wins.
  const own = `${folder}.${process.pid}`;
  fs.mkdirSync(own, { recursive: true });
  fs.writeFileSync(path.join(own, 'package.json'), '{ "private": true }\n');
  const flags = ['--offline', '--no-save', '--no-package-lock', '--no-audit', '--no-fund', '--ignore-scripts'];
  const result = await runChild('npm', ['install', '--prefix', own, ...flags, path.join(root, pin.archive)], { shell });
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
  const result = await unpacked(pin);
  if (!result.ok) return result;
  const manifest = manifestIn(result.folder, pin);
  const { bin } = JSON.parse(fs.readFileSync(manifest, 'utf8'));
  return runNode(path.join(path.dirname(manifest), bin[pin.name]), args);
}

module.exports = { packageManager, runPackageManager };
