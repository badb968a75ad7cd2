import type { RecordKind } from '@vitrine/core';
import type { LineReader } from './line-reader.js';
import { articleLine, newsLine, videoLine } from './lines/content-lines.js';
import { commitLine, findingLine, releaseLine, repositoryLine } from './lines/development-lines.js';
import { checkLine, incidentLine, serviceLine, statusDayLine } from './lines/status-lines.js';
import { syncLine } from './lines/sync-line.js';
import { buildLine, missionLine } from './lines/work-lines.js';

/** The reader of each kind. An export writes the kinds in this order. */
export const LINE_READERS: Readonly<Record<RecordKind, LineReader>> = {
  repository: repositoryLine,
  commit: commitLine,
  release: releaseLine,
  finding: findingLine,
  build: buildLine,
  mission: missionLine,
  news: newsLine,
  article: articleLine,
  video: videoLine,
  service: serviceLine,
  check: checkLine,
  'status-day': statusDayLine,
  incident: incidentLine,
  sync: syncLine,
};

export const RECORD_KINDS: readonly string[] = Object.keys(LINE_READERS);

export function isRecordKind(text: string): text is RecordKind {
  return Object.hasOwn(LINE_READERS, text);
}
