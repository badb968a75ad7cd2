'use strict';
const fs = require('node:fs');
const path = require('node:path');

const OUTPUT = /^(.*)\.(?:js|d\.ts)(?:\.map)?$/;

/** Removes what was compiled from files that no longer exist. The compiler leaves it there, and packages would contain it. */
function removeStale(folder) {
  const [sources, outputs] = ['src', 'dist'].map((name) => path.join(folder, name));
  for (const name of fs.readdirSync(outputs, { recursive: true })) {
    const [, stem] = OUTPUT.exec(name) ?? [];
    const isStale = stem !== undefined && !['.ts', '.tsx', '.mts'].some((end) => fs.existsSync(path.join(sources, `${stem}${end}`)));
    if (isStale) fs.rmSync(path.join(outputs, name));
  }
}

module.exports = removeStale;
