import type { Endpoint, PathValues } from '../../serving/router.js';
import { nameCodec } from '../../serving/cursor.js';
import { fullNameParameter } from '../../requests/path-parameters.js';
import { pageRoutes } from '../../routes/page-routes.js';
import { documentEndpoint } from '../document-endpoint.js';
import type { Call } from '../api-endpoint.js';
import { listPageEndpoint } from './list-page-endpoint.js';
import { pageAddresses } from './page-addresses.js';
import type { PageContext } from './page-context.js';
import { PageParts } from './page-parts.js';
import { shownRepositories } from './shown-repositories.js';

const YEAR = { from: null, to: null } as const;

export function repositoryPageControllers(context: PageContext): readonly Endpoint[] {
  const { useCases, pages } = context;
  const { repository: route } = pageRoutes;
  const byFullName = { ...route, path: '/repositories/{fullName}', pathParameters: [fullNameParameter] };
  return [
    listPageEndpoint(pageRoutes.repositories, context, {
      codec: nameCodec,
      execute: (page, call) => useCases.listRepositories.execute(page, call.context()),
      render: pages.repositories,
    }),
    documentEndpoint(route, context, (call) => hub(context, call, call.params)),
    documentEndpoint(byFullName, context, (call) => {
      const [owner = '', name = ''] = (call.params['fullName'] ?? '').split('/');
      return hub(context, call, { owner, name });
    }),
  ];
}

const addressOf = pageAddresses(pageRoutes.repository);

async function hub({ useCases, pages, deadlines }: PageContext, call: Call<Parameters<typeof addressOf>[0]>, params: PathValues) {
  const { owner = '', name = '' } = params;
  const fullName = `${owner}/${name}`;
  const parts = new PageParts(deadlines, call.signal);
  const [found, activity] = await Promise.all([
    parts.need((signal) => useCases.getRepositoryHub.execute({ fullName }, { ...call.context(), signal })),
    parts.read('activity', async (signal) => useCases.listActivity.execute({ ...YEAR, repository: fullName }, { ...call.context(), signal })),
  ]);
  const { repository } = found;
  const address = addressOf(call.query, { owner: repository.owner, name: repository.name });
  return {
    ...parts.currency,
    changesAt: parts.changesAt,
    text: await pages.repository({ ...parts.currency, hub: found, activity, address }),
    repositories: shownRepositories(found),
  };
}
