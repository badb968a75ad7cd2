import { formatInstant, type Instant, type Warning } from '@vitrine/core';
import { entityTagOf, FinishedAnswer } from '../serving/finished-answer.js';
import { envelopeText, withMeta, isReadable, type Reply, type AnswerForm, type Outcome, type Question } from '../serving/envelope.js';
import { cacheControlOf, NO_STORE, serviceDescLink, type PurgeHeader } from '../serving/headers.js';
import { repositoriesIn } from '../presenters/repository.js';
import type { ApiRoute } from '../routes/route.js';
import { purgeHeaders } from './purge-keys.js';

const JSON_TYPE = 'application/json; charset=utf-8';

export interface JsonFormOptions {
  readonly route: ApiRoute;
  /** What stands before every path of the API. */
  readonly basePath: string;
  /** The header that names the repositories of an answer to caches; `null`: none. */
  readonly purgeHeader: PurgeHeader | null;
}

/** Answers in the envelope of the API. */
export function jsonForm(options: JsonFormOptions): AnswerForm {
  const { route, basePath } = options;
  return {
    route,
    finished: (question, outcome) => finishedAnswer(question, options, outcome),
    lastGood: ({ pageAt }, { body, nextCursor, generatedAt, again, madeAt }, now) => {
      const meta = { dataStatus: 'stale', nextCursor, generatedAt, warnings: [lastGoodWarning(madeAt)] } as const;
      const text = again === undefined ? withMeta(body.toString(), meta) : envelopeText({ data: again(now), ...meta });
      return new FinishedAnswer({ type: JSON_TYPE, text, cacheControl: NO_STORE, link: linkOf(basePath, { nextCursor }, pageAt), etag: null });
    },
  };
}

function finishedAnswer({ pageAt }: Question, { route, basePath, purgeHeader }: JsonFormOptions, outcome: Outcome): FinishedAnswer {
  const text = envelopeText(outcome);
  const common = { type: JSON_TYPE, text, link: linkOf(basePath, outcome, pageAt) };
  if (!isReadable(outcome)) return new FinishedAnswer({ ...common, cacheControl: NO_STORE, etag: null });
  return new FinishedAnswer({
    ...common,
    cacheControl: cacheControlOf(outcome.cache ?? route.cache, route.holdsRepositories),
    etag: entityTagOf(text, route.schemas[0].name === 'Repository'),
    headers: route.holdsRepositories ? purgeHeaders(purgeHeader, () => repositoriesIn(outcome.data)) : {},
  });
}

function lastGoodWarning(madeAt: Instant): Warning {
  const detail = `The store cannot be read; this is the last good answer, of ${formatInstant(madeAt)}.`;
  return { code: 'SOURCE_UNAVAILABLE', source: 'store', detail };
}

function linkOf(basePath: string, { nextCursor }: Pick<Reply, 'nextCursor'>, pageAt: Question['pageAt']): string {
  const description = serviceDescLink(basePath);
  return nextCursor === null ? description : `<${basePath}${pageAt(nextCursor)}>; rel="next", ${description}`;
}
