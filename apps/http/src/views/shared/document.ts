import type { Pages } from '@vitrine/pages';
import { type AnswerForm, serviceDescLink } from '../../serving/envelope.js';
import type { Endpoint } from '../../serving/router.js';
import type { Call, PageContext, ViewContext } from './context.js';
import { answeredEndpoint, formOf } from './endpoint.js';
import { lenientQueryParser } from './parse-query.js';
import type { Query } from './parameters.js';
import { type DocumentRoute, HTML } from './route.js';

/** Answers as texts of any type, without envelope: pages, feeds, badges. */
function documentForm(
  route: Pick<DocumentRoute, 'vary' | 'typeOf' | 'type' | 'cache' | 'holdsRepositories' | 'isSearch' | 'isVital'>,
  { basePath, purgeHeader }: ViewContext,
  pages?: Pages,
): AnswerForm {
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
 */
export function documentEndpoint<Q extends Query, Context extends ViewContext>(route: DocumentRoute<Q, Context>, context: Context): Endpoint {
  const page = route.type === HTML && isOfPages(context) ? context : null;
  const parts = {
    route,
    form: documentForm(route, context, page?.pages),
    parse: lenientQueryParser(route.query, route.ignores),
    run: async (call: Call<Q>) => {
      const places = page?.places.read({ ...call.context(), signal: call.signal });
      const [{ text, ...outcome }] = await Promise.all([route.answer(call, context), places]);
      call.haveRead();
      return { ...outcome, data: typeof text === 'function' ? await text() : text, nextCursor: null, generatedAt: null };
    },
  };
  return answeredEndpoint(parts, context);
}

function isOfPages(context: ViewContext): context is PageContext {
  return 'pages' in context;
}
