import { SEARCH_TYPES } from '@vitrine/core';
import { optionalRepository, repositorySchema } from './development.js';
import { closed, instant, list, named, ref, text } from './schema.js';
import { provenanceSchema } from './shared.js';

export const searchResultSchema = named(
  'SearchResult',
  'A public record that matches.',
  {
    id: text('Stable id of the record; of a commit `owner/name@sha`, of a repository its full name, of a service its key.', 'acme/widget'),
    type: closed('Kind of the record.', SEARCH_TYPES, 'repository'),
    title: text('Matched public text.', 'acme/widget'),
    description: text('Public text of the record, at most 300 characters.', 'Widget 2.1.0', { maxLength: 300 }),
    href: text('Path of the record, below this host.', '/api/v1/repositories/acme%2Fwidget', { format: 'uri-reference' }),
    source: text('Label of the origin.', 'GitHub'),
    repository: optionalRepository,
    timestamp: instant('The time that orders it in its own list.', '2026-11-20T13:41:52.000Z'),
    matchedFields: list('The record’s fields in which a word matches, as dot paths.', text('One field.', 'fullName')),
    provenance: ref(provenanceSchema, 'Where the record comes from.'),
  },
  [repositorySchema, provenanceSchema],
);
