import type { Endpoint } from '../../serving/router.js';
import { sourceCodec } from '../../serving/cursor.js';
import { pageRoutes } from '../../routes/page-routes.js';
import { documentEndpoint } from '../document-endpoint.js';
import { listReader } from './list-page-endpoint.js';
import type { PageContext } from './page-context.js';
import { PageParts } from './page-parts.js';
import { shownRepositories } from './shown-repositories.js';

/** The sources, and the uptime of one service computed in front of the reader. */
export function aboutPageController(context: PageContext): Endpoint {
  const { useCases, pages, deadlines } = context;
  const read = listReader(pageRoutes.about, sourceCodec, (page, call) => useCases.listSources.execute(page, call.context()));
  return documentEndpoint(pageRoutes.about, context, async (call) => {
    const parts = new PageParts(deadlines, call.signal);
    const [{ items, address }, status] = await Promise.all([
      read(call),
      parts.read('status', (signal) => useCases.getStatus.execute({}, { signal })),
    ]);
    const { warnings } = parts.currency;
    // The list of sources is current even if sources are late, and the example only needs to be readable.
    const currency = { dataStatus: status === null ? 'partial' : 'fresh', warnings: status === null ? warnings : [] } as const;
    const rated = status?.services.filter(({ uptimePercent }) => uptimePercent !== null) ?? [];
    // A service that has failed shows more of the computation.
    const example = rated.find(({ uptimePercent }) => uptimePercent !== 100) ?? rated[0] ?? null;
    const text = await pages.about({ ...currency, sources: items, example, address });
    return { ...currency, changesAt: parts.changesAt, text, repositories: shownRepositories(items) };
  });
}
