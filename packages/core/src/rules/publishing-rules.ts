import type { RecordKind, StoredRecord } from '../kinds/identity.js';

/**
 * What happens to a field with an email address. `text`: the address is removed. `author`: too, but of a name that is only an address, the part before the `@` stays. `branch`: the branch becomes `null`. `required-branch`: it becomes `""`.
 * `id`, `name` and `url`: the record is rejected, because a changed text would name something else. `unpublished`: nothing, because it is not published as stored.
 */
export type FieldRule = 'text' | 'author' | 'branch' | 'required-branch' | 'id' | 'name' | 'url' | 'unpublished';

/** The rule of a text field, of a list's items, or of an object's fields. Closed sets of words, refs, numbers and flags need no rule. */
type RuleOf<Value> = string extends Value
  ? FieldRule
  : Value extends readonly (infer Item)[]
    ? [RuleOf<Item>] extends [never]
      ? never
      : readonly [RuleOf<Item>]
    : Value extends object
      ? [keyof RulesOf<Value>] extends [never]
        ? never
        : RulesOf<Value>
      : never;

type RulesOf<Value> = {
  readonly [Name in keyof Value as [RuleOf<NonNullable<Value[Name]>>] extends [never] ? never : Name]-?: RuleOf<NonNullable<Value[Name]>>;
};

/** A new text field does not compile until it has a rule. */
type RecordRules = { readonly [Kind in RecordKind]: RulesOf<Extract<StoredRecord, { readonly kind: Kind }>> };

const provenance = { source: 'text', sourceKind: 'text', sourceUrl: 'url', confidence: 'text' } as const;

export const PUBLISHING_RULES: RecordRules = {
  repository: { fullName: 'name', owner: 'name', name: 'name', defaultBranch: 'branch', description: 'text', language: 'text', provenance },
  commit: {
    sha: 'name',
    title: 'text',
    description: 'text',
    authorName: 'author',
    authorLogin: 'text',
    branch: 'branch',
    changeType: 'text',
    changedPaths: ['text'],
    provenance,
  },
  release: {
    id: 'id',
    tagName: 'name',
    name: 'text',
    body: 'text',
    platform: 'text',
    releaseType: 'text',
    sourceUrl: 'url',
    assets: [{ name: 'text', platform: 'text', url: 'url' }],
    provenance,
  },
  finding: {
    id: 'id',
    title: 'text',
    summary: 'text',
    status: 'text',
    changeType: 'text',
    evidence: { branch: 'required-branch', files: ['text'], commitSha: 'name' },
    sourceUrl: 'url',
    provenance,
  },
  build: {
    id: 'id',
    name: 'text',
    trigger: 'text',
    branch: 'branch',
    commitSha: 'name',
    platform: 'text',
    version: 'text',
    url: 'url',
    provenance,
  },
  mission: { id: 'id', title: 'text', summary: 'text', labels: ['text'], url: 'url', provenance },
  news: { id: 'id', source: 'text', title: 'text', summary: 'text', url: 'url', provenance },
  article: {
    id: 'id',
    title: 'text',
    summary: 'text',
    body: 'text',
    url: 'url',
    language: 'text',
    tags: ['text'],
    authorName: 'author',
    version: 'text',
    changes: [{ text: 'text' }],
    sourceUrl: 'url',
    provenance,
  },
  video: {
    id: 'id',
    title: 'text',
    description: 'text',
    platform: 'text',
    channelName: 'author',
    url: 'url',
    embedUrl: 'url',
    thumbnailUrl: 'url',
    language: 'text',
    tags: ['text'],
    sourceUrl: 'url',
    provenance,
  },
  service: { key: 'name', displayName: 'text', healthUrl: 'url', group: 'text', provenance },
  // The source is part of a check's identity.
  check: { serviceKey: 'name', rawState: 'text', provenance: { ...provenance, source: 'name' } },
  // The claims repeat the source of stored checks.
  'status-day': { serviceKey: 'name', claims: [{ source: 'unpublished' }], hours: [{ claims: [{ source: 'unpublished' }] }] },
  incident: {
    id: 'id',
    title: 'text',
    services: [{ key: 'name', displayName: 'text' }],
    updates: [{ id: 'name', body: 'text' }],
    sourceUrl: 'url',
    provenance,
    covers: ['name'],
  },
  // An older id may contain a file path. `publicSourceId` does not publish an id with a slash or an at sign.
  sync: { id: 'unpublished', label: 'text', lastFailureCode: 'unpublished', state: 'unpublished' },
};
