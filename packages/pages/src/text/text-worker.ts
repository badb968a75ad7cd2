import { parentPort } from 'node:worker_threads';
import { proseOfHtml, proseOfMarkdown, wordsOfMarkdown } from './markdown.js';
import { pictureOfSvg } from './picture.js';
import type { TextTask } from './worker-text-renderer.js';

async function rendered({ text, form, ...options }: TextTask): Promise<string | null> {
  try {
    if (form === 'picture') return await pictureOfSvg(text);
    if (form === 'excerpt') return wordsOfMarkdown(text);
    return form === 'html' ? proseOfHtml(text, options) : proseOfMarkdown(text, options);
  } catch {
    // Such as an overflow of the stack.
    return null;
  }
}

parentPort?.on('message', (task: TextTask) => void rendered(task).then((answer) => parentPort?.postMessage(answer)));
// The libraries are loaded: from now on, time counts.
parentPort?.postMessage('ready');
