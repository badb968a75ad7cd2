import type { Endpoint } from '../../serving/router.js';
import { prefersJson } from '../../serving/finished-answer.js';

/** `/` is the index of the API for programs that ask for JSON, and the overview for everybody else. */
export function rootEndpoint(index: Endpoint, overview: Endpoint): Endpoint {
  return {
    ...overview,
    answer: (exchange, params) => (prefersJson(exchange.request.headers) ? index : overview).answer(exchange, params),
  };
}
