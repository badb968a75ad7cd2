'use strict';
const fs = require('node:fs');
const path = require('node:path');

const root = path.resolve(__dirname, '..');

function packageFolders() {
  const grouped = ['packages', 'apps'].flatMap((group) => fs.readdirSync(path.join(root, group)).map((name) => path.join(group, name)));
  return [...grouped, 'test-support', 'bench'].filter((folder) => fs.existsSync(path.join(root, folder, 'package.json')));
}

function filesBelow(folder) {
  if (!fs.existsSync(path.join(root, folder))) return [];
  return fs.readdirSync(path.join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const file = path.join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(file) : [file];
  });
}

module.exports = { root, packageFolders, filesBelow };
