'use strict';
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const { root, packageFolders, filesBelow } = require('./workspace.cjs');

/** A hash of the names and contents of files, and of further words. */
function fingerprint(files, ...words) {
  const hash = createHash('sha256').update(JSON.stringify(words));
  for (const file of files.filter((name) => fs.existsSync(path.join(root, name))).sort()) {
    hash.update(`\0${file}\0`).update(fs.readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** Changes if a new install is needed: lockfile, manifests, Node's major version (for native modules). */
function dependenciesFingerprint() {
  const manifests = packageFolders().map((folder) => path.join(folder, 'package.json'));
  const major = process.versions.node.split('.')[0];
  return fingerprint(['package.json', 'pnpm-lock.yaml', 'pnpm-workspace.yaml', ...manifests], major, process.platform, process.arch);
}

/** Changes if a new build is needed: sources without tests, compiler settings, dependencies. */
function sourcesFingerprint() {
  const sources = packageFolders().flatMap((folder) => [path.join(folder, 'tsconfig.json'), ...filesBelow(path.join(folder, 'src'))]);
  const built = sources.filter((file) => !file.endsWith('.test.ts'));
  return fingerprint(['tsconfig.base.json', 'tsconfig.build.json', ...built], dependenciesFingerprint());
}

function stamp(file) {
  const full = path.join(root, file);
  return {
    matches: (value) => fs.existsSync(full) && fs.readFileSync(full, 'utf8') === value,
    write: (value) => {
      fs.mkdirSync(path.dirname(full), { recursive: true });
      fs.writeFileSync(full, value);
    },
  };
}

module.exports = { dependenciesFingerprint, sourcesFingerprint, stamp };
