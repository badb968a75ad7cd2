'use strict';
const { default: Sequencer } = require('@jest/test-sequencer');

/** Suites that take ten seconds or more, most of them waiting: for servers, time-outs, elections. Begun last, they would be waited for alone. */
const LONG = [
  'same-answers.mongo',
  'replica-set.mongo',
  'failing-store.api',
  'lost-database.mongo',
  'start.mongo',
  'collecting-in-turn.mongo',
  'apps/collector/test/store.mongo',
  'commands.mongo',
  'damaged-documents.mongo',
  'mutants.contract',
];

const rank = ({ path }) => LONG.findIndex((name) => path.replaceAll('\\', '/').includes(`${name}.test.ts`));

/** In a fresh clone Jest knows no durations, and would go by the size of files. */
class LongSuitesFirst extends Sequencer {
  sort(tests) {
    const usual = super.sort([...tests]);
    const long = usual.filter((test) => rank(test) >= 0).sort((a, b) => rank(a) - rank(b));
    return [...long, ...usual.filter((test) => rank(test) < 0)];
  }
}

module.exports = LongSuitesFirst;
