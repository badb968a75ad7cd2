import type { Asset } from '@vitrine/pages';
import { entityTagOf, FinishedAnswer } from '../../serving/finished-answer.js';
import type { Endpoint } from '../../serving/router.js';
import { serviceDescLink } from '../../serving/headers.js';

/** Their addresses change with their content. */
const FOR_EVER = 'public, max-age=31536000, immutable';

/** The style sheet and the script. */
export function assetEndpoints(assets: readonly Asset[], basePath: string): readonly Endpoint[] {
  return assets.map(({ path, type, text }) => fixedEndpoint(path, { type, content: () => text, cacheControl: FOR_EVER, basePath }));
}

interface FixedDocument {
  /** The media type with its charset. */
  readonly type: string;
  /** Is called once, for the first request. */
  readonly content: () => string | Buffer | Promise<Buffer>;
  readonly cacheControl: string;
  readonly basePath: string;
}

/** An address whose answer is the same for the life of the process. A query is ignored. */
export function fixedEndpoint(path: string, { type, content, cacheControl, basePath }: FixedDocument): Endpoint {
  let answer: FinishedAnswer | null = null;
  const made = async (): Promise<FinishedAnswer> => {
    if (answer === null) {
      const text = await content();
      const etag = entityTagOf(text.toString('latin1'), false);
      answer = new FinishedAnswer({ type, text, cacheControl, link: serviceDescLink(basePath), etag });
    }
    return answer;
  };
  return {
    path,
    spanning: null,
    isWellFormed: () => true,
    answer: async (exchange) => {
      exchange.requireWithinLimits();
      exchange.sendFinished(await made());
    },
    document: made,
  };
}
