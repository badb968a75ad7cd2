'use strict';
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const { root } = require('./workspace.cjs');

const running = new Set();

/** The exit codes that a shell reports for a program that a signal has ended. */
const exitCodes = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Passes a signal on to the children. This process exits when they have exited. */
function stop(signal) {
  for (const child of running) child.kill(signal);
  setTimeout(() => process.exit(exitCodes[signal]), running.size === 0 ? 0 : 5000).unref();
  process.once('exit', () => (process.exitCode = exitCodes[signal]));
}

for (const signal of Object.keys(exitCodes)) process.on(signal, stop);

/** From here on, the program that is loaded into this process handles signals. */
function giveSignalsAway() {
  for (const signal of Object.keys(exitCodes)) process.off(signal, stop);
}

/** The script of a package's command, to run with this Node directly. Without a shell or wrapper in between, signals reach it. */
function binOf(name, command = name) {
  const folder = path.join(root, 'node_modules', name);
  const { bin } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8'));
  return path.join(folder, typeof bin === 'string' ? bin : bin[command]);
}

/** Runs a child process in the root folder until it exits. Collects its output, unless it inherits that. One that writes nothing for `silenceMs` hangs, and is ended. */
function runChild(command, args, { inherit = false, env = {}, silenceMs, shell = false } = {}) {
  const started = process.hrtime.bigint();
  return new Promise((resolve) => {
    const stdio = inherit ? 'inherit' : ['ignore', 'pipe', 'pipe'];
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio, shell });
    const chunks = [];
    const watch = silenceMs === undefined ? undefined : setTimeout(() => child.kill(), silenceMs);
    const keep = (chunk) => {
      chunks.push(chunk);
      watch?.refresh();
    };
    const end = (code, note = '') => {
      running.delete(child);
      clearTimeout(watch);
      const seconds = Number(process.hrtime.bigint() - started) / 1e9;
      resolve({ ok: code === 0, code, output: Buffer.concat(chunks).toString('utf8') + note, seconds });
    };
    running.add(child);
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    child.once('error', (error) => end(127, `${command}: ${error.message}\n`));
    child.once('close', (code, signal) => end(code ?? 1, signal === null ? '' : `ended by ${signal}\n`));
  });
}

const runNode = (script, args, options) => runChild(process.execPath, [script, ...args], options);

module.exports = { binOf, runChild, runNode, giveSignalsAway };
