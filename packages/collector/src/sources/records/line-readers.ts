import type { RecordKind } from '@vitrine/core';
import { describedLine } from './described-line.js';
import type { LineReader } from './line-reader.js';
import { checkLine, statusDayLine, syncLine } from './status-lines.js';

/** The reader of each kind. An export writes the kinds in this order. */
export const LINE_READERS: Readonly<Record<RecordKind, LineReader>> = {
  repository: describedLine('repository'),
  commit: describedLine('commit'),
  release: describedLine('release'),
  finding: describedLine('finding'),
  build: describedLine('build'),
  mission: describedLine('mission'),
  news: describedLine('news'),
  article: describedLine('article'),
  image: describedLine('image'),
  video: describedLine('video'),
  service: describedLine('service'),
  check: checkLine,
  'status-day': statusDayLine,
  incident: describedLine('incident'),
  sync: syncLine,
};

export const RECORD_KINDS: readonly string[] = Object.keys(LINE_READERS);

export function isRecordKind(text: string): text is RecordKind {
  return Object.hasOwn(LINE_READERS, text);
}
