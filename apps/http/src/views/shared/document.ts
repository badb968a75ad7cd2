import type { Instant } from '@vitrine/core';
import type { Pages } from '@vitrine/pages';
import { type AnswerForm, type Outcome, serviceDescLink } from '../../serving/envelope.js';
import type { Endpoint } from '../../serving/router.js';
import { answeredEndpoint, type Call, formOf, type ViewContext, wellFormed } from './endpoint.js';
import type { PageContext } from './page.js';
import { lenientQueryParser } from './parse-query.js';
import type { Query } from './query.js';
import { type DocumentRoute, HTML } from './route.js';

/** Writes the text from what was read. The time limit of the request does not end it, so a slow machine sends the text late, and not an error. */
export type Drawing = () => Promise<string>;

export interface DocumentOutcome extends Omit<Outcome, 'data' | 'again' | 'nextCursor' | 'generatedAt'> {
  readonly text: string | Buffer | Drawing;
  /** For a text that depends on the present time: the same text for a later time. */
  readonly again?: (now: Instant) => string;
}

/** Answers as texts of any type, without envelope: pages, feeds, badges. */
function documentForm(route: DocumentRoute, { basePath, purgeHeader }: ViewContext, pages?: Pages): AnswerForm {
  const { vary, typeOf } = route;
  const common = { link: serviceDescLink(basePath), ...(pages !== undefined && { policy: pages.policy }), ...(vary !== undefined && { vary }) };
  return formOf({
    route,
    purgeHeader,
    isOfRepositories: false,
    textOf: ({ data }) => (Buffer.isBuffer(data) ? data : String(data)),
    partsOf: (text) => ({ ...common, type: (Buffer.isBuffer(text) ? typeOf?.(text) : undefined) ?? route.type }),
    lastGoodText: ({ body, again, madeAt }, now) => {
      if (typeOf !== undefined) return body;
      const text = again === undefined ? body.toString() : String(again(now));
      return pages?.asLastGood(text, madeAt) ?? text;
    },
  });
}

/**
 * Mounts a document outside `/api/v1`. It has what the endpoints of the API have: the permission of the request, admission, the time budget, kept answers,
 * entity tags, compression and last good answers. Empty and unknown parameters are dropped.
 *
 * @param run computes the text; rejects as use cases do
 */
export function documentEndpoint<Q extends Query>(
  route: DocumentRoute<Q>,
  context: ViewContext | PageContext,
  run: (call: Call<Q>) => Promise<DocumentOutcome>,
): Endpoint {
  const page = route.type === HTML && 'pages' in context ? context : null;
  const parts = {
    route,
    form: documentForm(route, context, page?.pages),
    parse: lenientQueryParser(route.query, route.ignores),
    run: async (call: Call<Q>) => {
      const params = wellFormed(route, call.params);
      const places = page?.places.read({ ...call.context(), signal: call.signal });
      const [{ text, ...outcome }] = await Promise.all([run({ ...call, params }), places]);
      call.haveRead();
      return { ...outcome, data: typeof text === 'function' ? await text() : text, nextCursor: null, generatedAt: null };
    },
  };
  return answeredEndpoint(parts, context);
}
