import type { Repository } from '@vitrine/core';
import { useView } from '../view.js';

export function RepositoryLink({ repository }: { readonly repository: Pick<Repository, 'fullName'> }) {
  return <a href={useView().links.record('repository', repository.fullName)}>{repository.fullName}</a>;
}
