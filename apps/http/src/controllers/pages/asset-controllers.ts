import type { Asset } from '@vitrine/pages';
import { entityTagOf } from '../../cache/entity-tag.js';
import { FinishedAnswer } from '../../cache/finished-answer.js';
import type { Endpoint } from '../../http/endpoint.js';
import { serviceDescLink } from '../../http/headers.js';

/** Their addresses change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The style sheet and the script. */
export function assetControllers(assets: readonly Asset[], basePath: string): readonly Endpoint[] {
  return assets.map(({ path, type, text }) => fixedEndpoint(path, { type, text, cacheControl: FOR_EVER, basePath }));
}

interface FixedDocument {
  /** The media type with its charset. */
  readonly type: string;
  readonly text: string;
  readonly cacheControl: string;
  readonly basePath: string;
}

/** An address whose answer is the same for the life of the process. A query is ignored. */
export function fixedEndpoint(path: string, { basePath, ...parts }: FixedDocument): Endpoint {
  const answer = new FinishedAnswer({ ...parts, link: serviceDescLink(basePath), etag: entityTagOf(parts.text, false) });
  return {
    path,
    spanning: null,
    isWellFormed: () => true,
    answer: (exchange) => {
      exchange.requireWithinLimits();
      exchange.sendFinished(answer);
    },
  };
}
