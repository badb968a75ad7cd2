'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { runPackageManager } = require('./package-manager.cjs');
const { root, packageFolders } = require('./workspace.cjs');

const manifestOf = (folder) => JSON.parse(fs.readFileSync(path.join(root, folder, 'package.json'), 'utf8'));

function publicPackages() {
  return packageFolders().filter((folder) => manifestOf(folder).private !== true);
}

/** Packs public packages, by default all, as a registry would serve them. Needs a build. @returns {Promise<string[]>} the paths of the tarballs */
async function pack(folder, packages = publicPackages()) {
  if (folder.startsWith('-')) throw new Error(`"${folder}" is not a folder. Usage: npm run pack -- [FOLDER]. The default folder is "packed".`);
  const destination = path.resolve(folder);
  const chosen = packages.flatMap((name) => ['--filter', `./${name.replaceAll('\\', '/')}`]);
  const args = ['--recursive', ...chosen, 'pack', '--pack-destination', destination];
  const { ok, output } = await runPackageManager(args);
  if (!ok) throw new Error(`The packages could not be packed.\n${output}`);
  return packages.map((name) => {
    const { name: packageName, version } = manifestOf(name);
    return path.join(destination, `${packageName.replace('@', '').replace('/', '-')}-${version}.tgz`);
  });
}

module.exports = { pack, publicPackages };
