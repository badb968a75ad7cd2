'use strict';
// Runs a program of a test in a separate process, from sources: node -C @vitrine/source test/run-typescript.cjs PROGRAM.ts ARGUMENTS
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const Module = require('node:module');
const path = require('node:path');
const { threadId } = require('node:worker_threads');

const CACHE = path.join(__dirname, '../.cache/run-typescript');

const options = {
  jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
  module: { type: 'commonjs' },
};

/** The JavaScript of a file. A test starts the same program many times, so it is kept. */
function javaScriptOf(file) {
  const source = fs.readFileSync(file, 'utf8');
  const kept = path.join(CACHE, `${createHash('sha1').update(file).update(source).digest('hex')}.cjs`);
  if (fs.existsSync(kept)) return fs.readFileSync(kept, 'utf8');
  // The compiler is large: it is loaded only if something has to be compiled.
  const { code } = require('@swc/core').transformSync(source, { ...options, filename: file, swcrc: false });
  // Several tests can need it at once: no one reads half a file.
  const own = `${kept}.${process.pid}.${threadId}`;
  fs.mkdirSync(CACHE, { recursive: true });
  fs.writeFileSync(own, code);
  fs.renameSync(own, kept);
  return code;
}

require.extensions['.ts'] = (module, file) => {
  module._compile(javaScriptOf(file), file, 'commonjs');
};

const resolve = Module._resolveFilename;
Module._resolveFilename = (request, parent, ...others) => {
  const isSource = request.startsWith('.') && parent?.filename?.endsWith('.ts');
  // Node would look for other names and for links first.
  return isSource ? path.join(path.dirname(parent.filename), request.replace(/\.js$/u, '.ts')) : resolve(request, parent, ...others);
};

process.argv.splice(1, 1);
require(path.resolve(process.argv[1]));
