import { parentPort } from 'node:worker_threads';
import { proseOfHtml, proseOfMarkdown, wordsOfMarkdown } from './markdown.js';
import type { TextTask } from './text-renderer.js';

function rendered({ text, form, images }: TextTask): string | null {
  try {
    if (form === 'excerpt') return wordsOfMarkdown(text);
    return form === 'html' ? proseOfHtml(text, { images }) : proseOfMarkdown(text, { images });
  } catch {
    // Such as an overflow of the stack.
    return null;
  }
}

parentPort?.on('message', (task: TextTask) => parentPort?.postMessage(rendered(task)));
// The libraries are loaded: from now on, time counts.
parentPort?.postMessage('ready');
