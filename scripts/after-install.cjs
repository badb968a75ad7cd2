'use strict';
const fs = require('node:fs');
const path = require('node:path');

/** The last step of `npm install`, whose layout of folders lacks the packages of this workspace: the pinned package manager installs again. */
async function afterInstall() {
  // The pinned package manager runs this script, too.
  if (!(process.env['npm_config_user_agent'] ?? '').startsWith('npm/')) return;
  const { root } = require('./workspace.cjs');
  process.stderr.write('You do not need npm install: npm start and npm test set everything up.\n');
  // npm's lockfile describes the layout that is replaced. The repository has its own lockfile.
  fs.rmSync(path.join(root, 'package-lock.json'), { force: true });
  const { install } = require('./set-up.cjs');
  if (!(await install())) process.exitCode = 1;
}

void afterInstall();
