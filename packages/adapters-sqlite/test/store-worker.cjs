'use strict';
// What a store's thread runs in tests: the worker from sources.
const Module = require('node:module');
const path = require('node:path');

const sources = { '@vitrine/core': path.join(__dirname, '../../core/src/index.ts') };
const resolve = Module._resolveFilename;
Module._resolveFilename = (request, ...others) => sources[request] ?? resolve(request, ...others);

process.argv.splice(1, 1, 'run-typescript', path.join(__dirname, '../src/threads/store-worker.ts'));
require('../../../test/run-typescript.cjs');
