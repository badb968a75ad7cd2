import type { ContractCase, ContractOptions } from '../contract.js';
import { activityContract } from './activity.js';
import { approvedSearchContract } from './approved-search.js';
import { checkedDaysContract } from './checked-days.js';
import { checkContract } from './checks.js';
import { noninterferenceContract } from './noninterference.js';
import { repositoryContract } from './repositories.js';
import { searchContract } from './search.js';
import { singleRecordContract } from './single-records.js';
import { statusContract } from './status.js';
import { timeListContract } from './time-lists.js';
import { vouchingContract } from './vouching.js';
import { writingContract } from './writing.js';

/** Everything that a store of all ports promises. */
export function storeContract(options: ContractOptions): readonly ContractCase[] {
  return [
    ...writingContract(options),
    ...vouchingContract(options),
    ...timeListContract(options),
    ...singleRecordContract(options),
    ...repositoryContract(options),
    ...activityContract(options),
    ...statusContract(options),
    ...checkContract(options),
    ...checkedDaysContract(options),
    ...searchContract(options),
    ...approvedSearchContract(options),
    ...noninterferenceContract(options),
  ];
}
