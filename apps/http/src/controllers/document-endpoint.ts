import type { Endpoint } from '../serving/router.js';
import type { PurgeHeader } from '../serving/headers.js';
import { lenientQueryParser } from '../requests/parse-query.js';
import type { Query } from '../requests/query.js';
import type { DocumentRoute } from '../routes/document-route.js';
import { answeredEndpoint, wellFormed, type Call, type EndpointContext } from './api-endpoint.js';
import { documentForm, type DocumentFormOptions, type DocumentOutcome } from './document-form.js';

/** What every endpoint of documents needs beside its use cases. */
export interface DocumentContext extends EndpointContext, Pick<DocumentFormOptions, 'policy' | 'asLastGood'> {
  /** What stands before every path. */
  readonly basePath: string;
  /** Is awaited before the text is computed. */
  readonly prepare?: (call: Call<unknown>) => Promise<void>;
  /** The header that names the repositories of an answer to caches. Default: none. */
  readonly purgeHeader?: PurgeHeader | null;
}

/**
 * Mounts a document outside `/api/v1`. It has what the endpoints of the API have: the permission of the request, admission, the time budget, kept answers,
 * entity tags, compression and last good answers. Empty and unknown parameters are dropped.
 *
 * @param run computes the text; rejects as use cases do
 */
export function documentEndpoint<Q extends Query>(
  route: DocumentRoute<Q>,
  context: DocumentContext,
  run: (call: Call<Q>) => Promise<DocumentOutcome>,
): Endpoint {
  const { basePath, purgeHeader = null, policy, asLastGood } = context;
  const form = documentForm({
    route,
    basePath,
    purgeHeader,
    ...(policy !== undefined && { policy }),
    ...(asLastGood !== undefined && { asLastGood }),
  });
  const parts = {
    route,
    form,
    parse: lenientQueryParser(route.query, route.ignores),
    run: async (call: Call<Q>) => {
      await context.prepare?.(call);
      const { text, ...outcome } = await run({ ...call, params: wellFormed(route, call.params) });
      return { ...outcome, data: text, nextCursor: null, generatedAt: null };
    },
  };
  return answeredEndpoint(parts, context);
}
