'use strict';
// What renders texts in tests: the worker from sources.
const path = require('node:path');

process.argv.splice(1, 1, 'run-typescript', path.join(__dirname, '../src/text/text-worker.ts'));
require('../../../test/run-typescript.cjs');
