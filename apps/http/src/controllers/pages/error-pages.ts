import type { Pages } from '@vitrine/pages';
import { STATUS_OF } from '../../serving/errors.js';
import type { ErrorPages } from '../../serving/exchange.js';
import { NO_STORE } from '../../serving/headers.js';
import { asksForHtml } from '../../serving/finished-answer.js';
import { HTML } from '../../routes/document-route.js';

const API = /^\/api(?:\/|$)/;

/** Errors as pages, for people: outside the API, and only for clients that name HTML. */
export function errorPages(pages: Pages): ErrorPages {
  return {
    pageOf: (refusal, { request, path, requestId }) => {
      if (API.test(path) || !asksForHtml(request.headers)) return null;
      const status = STATUS_OF[refusal.code];
      const body = pages.error({ status, detail: refusal.message, requestId });
      return { status, type: HTML, body, cacheControl: NO_STORE, policy: pages.policy, headers: { ...refusal.headers, Vary: 'Accept' } };
    },
  };
}
