'use strict';
// What renders texts in tests: the worker from sources. To draw a picture it compiles a large library, so a run draws each picture once.
const { createHash } = require('node:crypto');
const fs = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');
const { parentPort, threadId } = require('node:worker_threads');

const DRAWING = path.join(__dirname, '../src/text/picture.ts');
const on = parentPort.on.bind(parentPort);

/** The file of a picture that was drawn by this code. */
function fileOf(svg) {
  const name = createHash('sha1').update(fs.readFileSync(DRAWING)).update(svg).digest('hex');
  return path.join(tmpdir(), `vitrine-picture-${name}`);
}

function keep(file, picture) {
  const own = `${file}.${process.pid}.${threadId}`;
  fs.writeFileSync(own, picture);
  fs.renameSync(own, file);
}

parentPort.on = (event, listener) =>
  on(event, (task) => {
    if (task.form !== 'picture') return listener(task);
    const file = fileOf(task.text);
    if (fs.existsSync(file)) return parentPort.postMessage(fs.readFileSync(file, 'utf8'));
    const send = parentPort.postMessage.bind(parentPort);
    parentPort.postMessage = (answer) => {
      parentPort.postMessage = send;
      if (answer !== null) keep(file, answer);
      send(answer);
    };
    return listener(task);
  });

process.argv.splice(1, 1, 'run-typescript', path.join(__dirname, '../src/text/text-worker.ts'));
require('../../../test/run-typescript.cjs');
