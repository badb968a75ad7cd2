'use strict';
const fs = require('node:fs');
const path = require('node:path');
const { root, packageFolders, filesBelow } = require('../scripts/workspace.cjs');

/** Suites that run git hundreds of times. To start a program costs a process as much as it holds memory, so they come while Jest's are small. */
const STARTING_PROGRAMS = [
  'git-source.damaged-clones',
  'git-source.odd-histories',
  'git-source.clones',
  'git-source.remotes',
  'git/git-source',
  'git-source.releases',
];

/** Suites with the most work. Begun last, one of them would be waited for alone. */
const LONG = [
  'deploy.architecture',
  'same-answers.mongo',
  'adapters-mongo/test/store.mongo',
  'suites/packages-adapters-mongo.mongo',
  'suites/apps-http.api',
  'privacy.mongo',
  'suites/packages-core.unit',
  'mutants.contract',
];

/** Suites that mostly wait, for servers, time-outs and elections, and judge how long that took: each runs beside others that work. */
const WAITING = [
  'replica-set.mongo',
  'apps/collector/test/store.mongo',
  'start.mongo',
  'lost-database.mongo',
  'failing-store.api',
  'commands.mongo',
  'collecting-in-turn.mongo',
  'hostile-sockets.api',
  'stopped-collector.mongo',
  'adapters-mongo/test/lease.mongo',
];

/** Where files that load several suites stand, written anew by each whole run. Not below a folder with a dot, which Jest does not look into. */
const FOLDER = 'test/suites';

const KINDS = {
  unit: { below: 'src', ending: '.test.ts' },
  mongo: { below: 'test', ending: '.mongo.test.ts' },
  api: { below: 'test', ending: '.api.test.ts' },
};

/** The place of a suite in a list; -1 when it has none. */
function rankIn(list, file) {
  return list.findIndex((name) => file.replaceAll('\\', '/').includes(`${name}.test.ts`));
}

/** Whether a suite has a process's attention for itself. */
function runsAlone(file) {
  return rankIn([...STARTING_PROGRAMS, ...LONG, ...WAITING], file) >= 0;
}

function suitesOf(folder, { below, ending }) {
  const files = filesBelow(path.join(folder, below)).map((file) => file.replaceAll('\\', '/'));
  return files.filter((file) => file.endsWith(ending) && !file.endsWith('.torture.test.ts')).sort();
}

/**
 * The files that a whole run gives to Jest for a kind of suites: those that run alone, and one for all others of a package. Modules are loaded
 * and compiled once for each file, which takes a second where MongoDB or the API is among them.
 */
function wholeRun(kind) {
  return packageFolders().flatMap((folder) => {
    const suites = suitesOf(folder, KINDS[kind]);
    const alone = suites.filter(runsAlone).map((file) => ({ file, suites: [file] }));
    const shared = suites.filter((suite) => !runsAlone(suite));
    return shared.length === 0 ? alone : [...alone, { file: `${FOLDER}/${folder.replace(/[\\/]/gu, '-')}.${kind}.test.ts`, suites: shared }];
  });
}

/** Loads a suite with its hooks for itself alone, named as its file. */
const loading = (suite) => `describe('${suite}', () => {\n  require('../../${suite.replace(/\.ts$/u, '.js')}');\n});\n`;

/** Writes the files that load several suites. */
function writeSharedFiles() {
  fs.rmSync(path.join(root, FOLDER), { recursive: true, force: true });
  fs.mkdirSync(path.join(root, FOLDER), { recursive: true });
  for (const { file, suites } of Object.keys(KINDS).flatMap(wholeRun)) {
    if (file.startsWith(FOLDER)) fs.writeFileSync(path.join(root, file), suites.map(loading).join(''));
  }
}

module.exports = { STARTING_PROGRAMS, LONG, WAITING, rankIn, wholeRun, writeSharedFiles };
