'use strict';
const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that run git hundreds of times. To start a program costs a process as much as it holds memory, so they come while Jest's are small. */
const STARTING_PROGRAMS = ['git-source.odd-histories', 'git-source.clones', 'git/git-source', 'git-source.releases'];

/** Suites with the most work. Begun last, one of them would be waited for alone. */
const LONG = [
  'same-answers.mongo',
  'damaged-documents.mongo',
  'adapters-mongo/test/store.mongo',
  'search-plans.mongo',
  'privacy.mongo',
  'list-plans.mongo',
  'mutants.contract',
];

/** Suites that mostly wait, for servers, time-outs and elections, and judge how long that took: each runs beside others that work. */
const WAITING = [
  'replica-set.mongo',
  'start.mongo',
  'lost-database.mongo',
  'apps/collector/test/store.mongo',
  'failing-store.api',
  'commands.mongo',
  'collecting-in-turn.mongo',
];

const rankIn = (list, { path }) => list.findIndex((name) => path.replaceAll('\\', '/').includes(`${name}.test.ts`));
const rankedBy = (list, tests) => tests.filter((test) => rankIn(list, test) >= 0).sort((a, b) => rankIn(list, a) - rankIn(list, b));

/** In a fresh clone Jest knows no durations, and would go by the size of files. */
class SuiteOrder extends Sequencer {
  sort(tests) {
    const usual = super.sort([...tests]);
    const [first, waiting] = [rankedBy([...STARTING_PROGRAMS, ...LONG], usual), rankedBy(WAITING, usual)];
    const others = usual.filter((test) => !first.includes(test) && !waiting.includes(test));
    const step = Math.ceil(others.length / (2 * waiting.length));
    return [...first, ...waiting.flatMap((test) => [test, ...others.splice(0, step)]), ...others];
  }
}

module.exports = SuiteOrder;
