import type { GetRecord, ListFilters, ListRecords, PlainKind, RecordOf, ScopedListInput, ViewOf } from '@vitrine/core';
import type { Endpoint } from '../serving/router.js';
import { timeCodec } from '../serving/cursor.js';
import type { PageQuery, TimeRange } from '../requests/query.js';
import type { ApiRoute } from '../routes/route.js';
import type { ControllerContext } from './api-endpoint.js';
import { listController } from './list-controller.js';
import { recordController } from './record-controller.js';

/** A query whose filters are those of the kind's list. Not every list can be asked for a time range. */
interface KindQuery<Kind extends PlainKind> extends PageQuery {
  filters(): Pick<ScopedListInput, 'repository'> & ListFilters<Kind> & Partial<TimeRange>;
}

interface KindParts<Kind extends PlainKind, Q extends KindQuery<Kind>> {
  readonly list: readonly [ApiRoute<Q>, ListRecords<Kind>];
  readonly get: readonly [ApiRoute, GetRecord<Kind>];
  readonly present: (view: ViewOf<RecordOf<Kind>>) => unknown;
}

/** The list of a kind, and one record of it. */
export function kindControllers<Kind extends PlainKind, Q extends KindQuery<Kind>>(
  context: ControllerContext,
  { list: [listRoute, listRecords], get: [getRoute, getRecord], present }: KindParts<Kind, Q>,
): readonly Endpoint[] {
  return [
    listController(listRoute, context, {
      codec: timeCodec,
      execute: (page, { query, context: own }) => listRecords.execute({ from: null, to: null, ...query.filters(), ...page }, own()),
      present,
    }),
    recordController(getRoute, context, ({ id = '' }, call) => getRecord.execute({ id }, call.context()), present),
  ];
}
