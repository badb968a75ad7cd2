import type { PlainRecord } from '../domain/identity-key.js';
import type { SearchField } from '../domain/search/search-entry.js';
import type { SearchableRecord } from '../domain/search/searchable-record.js';
import { SEARCH_TYPES, type SearchType } from '../domain/search/search-types.js';

const SEARCHED: ReadonlySet<string> = new Set(['service', ...SEARCH_TYPES]);

/** Whether search returns records of this kind. */
export function isSearchable(record: PlainRecord): record is SearchableRecord {
  return SEARCHED.has(record.kind);
}

/** The search type of a record. */
export function searchTypeOf(record: SearchableRecord): SearchType {
  return record.kind === 'service' ? 'status-service' : record.kind;
}

/** The searched fields of a record, except its repository's name. They have the names of the API's fields. */
export function searchFieldsOf(record: SearchableRecord): readonly SearchField[] {
  switch (record.kind) {
    case 'commit':
      return [
        title('title', record.title),
        text('description', record.description),
        title('sha', record.sha),
        text('authorName', record.authorName),
        text('authorLogin', record.authorLogin),
      ];
    case 'release':
      return [title('name', record.name), title('tagName', record.tagName), text('body', record.body)];
    case 'finding':
      return [title('title', record.title), text('summary', record.summary), text('evidence.files', ...record.evidence.files)];
    case 'repository':
      return [title('fullName', record.fullName)];
    case 'news':
      return [title('title', record.title), text('summary', record.summary), text('source', record.source)];
    case 'service':
      return [title('displayName', record.displayName), text('key', record.key)];
    case 'mission':
      return [title('title', record.title), text('summary', record.summary), text('labels', ...record.labels)];
    case 'article':
      return [
        title('title', record.title),
        text('summary', record.summary),
        text('body', record.body),
        text('tags', ...record.tags),
        text('version', record.version ?? ''),
        text('changes.text', ...record.changes.map((change) => change.text)),
      ];
  }
}

/** The name of a record's repository, as a searched field. (In a repository's own record, the name is its title.) */
export function repositoryField(fullName: string): SearchField {
  return text('repository.fullName', fullName);
}

function title(path: string, ...texts: string[]): SearchField {
  return { path, texts, isTitle: true };
}

function text(path: string, ...texts: string[]): SearchField {
  return { path, texts, isTitle: false };
}
