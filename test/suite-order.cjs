'use strict';
const { default: Sequencer } = require('@jest/test-sequencer');
const { STARTING_PROGRAMS, LONG, WAITING, rankIn } = require('./suites.cjs');

const rankedBy = (list, tests) => tests.filter(({ path }) => rankIn(list, path) >= 0).sort((a, b) => rankIn(list, a.path) - rankIn(list, b.path));

/** In a fresh clone Jest knows no durations, and would go by the size of files. */
class SuiteOrder extends Sequencer {
  sort(tests) {
    const usual = super.sort([...tests]);
    const [programs, long, waiting] = [STARTING_PROGRAMS, LONG, WAITING].map((list) => rankedBy(list, usual));
    const others = usual.filter((test) => ![programs, long, waiting].some((list) => list.includes(test)));
    return [...programs, ...alternating(long, waiting), ...others];
  }
}

/** One of each list in turn, for as long as there are both. */
function alternating(working, waiting) {
  return working.flatMap((test, index) => (index < waiting.length ? [test, waiting[index]] : [test])).concat(waiting.slice(working.length));
}

module.exports = SuiteOrder;
