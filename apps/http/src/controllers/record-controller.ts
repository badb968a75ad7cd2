import type { Instant } from '@vitrine/core';
import type { Endpoint, PathValues } from '../serving/router.js';
import type { Query } from '../requests/query.js';
import type { ApiRoute } from '../routes/route.js';
import { apiEndpoint, replyOf, wellFormed, type Call, type Composed, type ControllerContext } from './api-endpoint.js';

/** Answers one record. Malformed ids give 404. @param judgedAgain for data that speak of the present moment: the same data at a later one */
export function recordController<Q extends Query, Data>(
  route: ApiRoute<Q>,
  context: ControllerContext,
  execute: (params: PathValues, call: Call<Q>) => Promise<Composed<Data>>,
  present: (data: Data, answer: Composed<Data>) => unknown,
  judgedAgain?: (data: Data, now: Instant) => Data,
): Endpoint {
  return apiEndpoint(route, context, async (call) => {
    const answer = await execute(wellFormed(route, call.params), call);
    const reply = replyOf(route, answer, present(answer.data, answer));
    return judgedAgain === undefined ? reply : { ...reply, again: (now) => present(judgedAgain(answer.data, now), answer) };
  });
}
