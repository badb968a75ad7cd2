import type { Endpoint, PathValues } from '../http/endpoint.js';
import type { Query } from '../requests/query.js';
import type { ApiRoute } from '../routes/route.js';
import { apiEndpoint, replyOf, wellFormed, type Call, type Composed, type ControllerContext } from './api-endpoint.js';

/** Answers one record. Malformed path texts are not found. */
export function recordController<Q extends Query, Data>(
  route: ApiRoute<Q>,
  context: ControllerContext,
  execute: (params: PathValues, call: Call<Q>) => Promise<Composed<Data>>,
  present: (data: Data, answer: Composed<Data>) => unknown,
): Endpoint {
  return apiEndpoint(route, context, async (call) => {
    const answer = await execute(wellFormed(route, call.params), call);
    return replyOf(route, answer, present(answer.data, answer));
  });
}
