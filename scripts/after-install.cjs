'use strict';
const fs = require('node:fs');
const path = require('node:path');

/**
 * What `npm install` ends with. Its own layout lacks the packages of this workspace, so the pinned package manager installs again, as `npm start` and
 * `npm test` do by themselves. When that package manager is the one that installs, there is nothing to do.
 */
async function afterInstall() {
  if (!(process.env['npm_config_user_agent'] ?? '').startsWith('npm/')) return;
  const { root } = require('./workspace.cjs');
  process.stderr.write('You do not need npm install: npm start and npm test set everything up.\n');
  // It describes the layout that goes, and the repository has a lockfile.
  fs.rmSync(path.join(root, 'package-lock.json'), { force: true });
  if (!(await require('./set-up.cjs').install())) process.exitCode = 1;
}

void afterInstall();
