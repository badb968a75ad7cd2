import { CHECK_FACTS } from '../kinds/check.js';
import { TEXT_FORMS, type AnyField, type AnyFields, type EmailRule, type TextForm } from '../kinds/fields.js';
import type { RecordKind, StoredRecord } from '../kinds/identity.js';
import { isInstant } from '../kinds/instant.js';
import { byKind, fieldsWhere } from '../kinds/kinds.js';
import { NO_REPOSITORY, asciiLowerCase, nameOfRef, parseRepositoryName, type RepositoryRef, type ScopeRef } from '../kinds/repository-name.js';
import { RELEASE_SUMMARY_FIELDS, type ReleaseSummary } from '../kinds/repository.js';
import { decodedText } from './readable-text.js';
import { holdsEmail, mayHoldEmail, withoutEmail } from './without-email.js';

/** Returns the changed value, the same value if nothing changes, or a {@link Refused}. */
type TextChange<Context> = (text: string, context: Context) => string | null | Refused;
type Change<Context> = (value: unknown, context: Context) => unknown;

/** The value cannot be changed so that the record may stay. A class and not a text, because a field may contain any text. */
class Refused {
  constructor(readonly reason: string) {}
}

/** Changes texts anywhere in a record with these fields. It returns a copy, or the same object if nothing changes. @param changeOf `null`: no change of this form */
export function changedTexts<Context>(fields: AnyFields, changeOf: (form: TextForm) => TextChange<Context> | null): Change<Context> {
  const changes = Object.entries(fields).flatMap(([name, field]) => {
    const change = fieldChange(field, changeOf);
    return change === null ? [] : [{ name, change }];
  });
  return (value, context) => {
    if (typeof value !== 'object' || value === null) return value;
    const source = value as Readonly<Record<string, unknown>>;
    let changed: Record<string, unknown> | null = null;
    for (const { name, change } of changes) {
      const now = change(source[name], context);
      if (now instanceof Refused) return now;
      if (now !== source[name]) (changed ??= { ...source })[name] = now;
    }
    return changed ?? value;
  };
}

function fieldChange<Context>(field: AnyField, changeOf: (form: TextForm) => TextChange<Context> | null): Change<Context> | null {
  switch (field.type) {
    case 'text': {
      const change = changeOf(field.form);
      return change === null ? null : (value, context) => (typeof value === 'string' ? change(value, context) : value);
    }
    case 'list': {
      const change = fieldChange(field.item, changeOf);
      return change === null ? null : listChange(change);
    }
    case 'object':
      return changedTexts(field.fields, changeOf);
    default:
      return null;
  }
}

function listChange<Context>(change: Change<Context>): Change<Context> {
  return (list, context) => {
    if (!Array.isArray(list)) return list;
    const values: readonly unknown[] = list;
    let changed: unknown[] | null = null;
    for (const [index, value] of values.entries()) {
      const now = change(value, context);
      if (now instanceof Refused) return now;
      if (now !== value) (changed ??= [...values])[index] = now;
    }
    // An item of which nothing is left, such as a tag that was an address, is left out.
    return changed?.filter((value, index) => value !== '' || values[index] === '') ?? values;
  };
}

/**
 * Why a record must not be stored or published. `email-in-identifier`: its id, tag name or URL contains an email address. `foreign-id`: its id names a
 * repository other than its own. `invalid-time`: one of its times is no {@link Instant}, such as `NaN`.
 */
export type UnpublishableReason = 'email-in-identifier' | 'foreign-id' | 'invalid-time';

/**
 * Returns the record that may be published: email addresses are removed from free text, a required text never becomes empty, and a branch that contains one becomes `null`. Half of a surrogate pair becomes
 * U+FFFD, because it has no UTF-8, and cannot be part of an address. Returns the same object if nothing changes, otherwise a copy. Returns the reason if the record must
 * not be published at all. Idempotent.
 */
export function publishableRecord<Record extends StoredRecord>(record: Record): Record | UnpublishableReason {
  if (hasInvalidTime(record)) return 'invalid-time';
  const scope = 'repositoryRef' in record ? record.repositoryRef : NO_REPOSITORY;
  const published = PUBLISHERS[record.kind](record, scope);
  // The result has the fields of the record; only texts differ.
  return published as Record | UnpublishableReason;
}

const TIMES = {
  ...byKind((facts) => fieldsWhere(facts, ({ type }) => type === 'time')),
  'status-day': ['day', 'firstCheckedAt', 'lastCheckedAt', 'coveredUntil'],
};

function hasInvalidTime(record: StoredRecord): boolean {
  return TIMES[record.kind].some((name) => {
    const time: unknown = Reflect.get(record, name);
    return typeof time === 'number' && !isInstant(time);
  });
}

/** Like {@link publishableRecord}, for the summary of a repository's newest release. */
export function publishableRelease(release: ReleaseSummary, ref: RepositoryRef): ReleaseSummary | UnpublishableReason {
  return publishRelease(release, ref) as ReleaseSummary | UnpublishableReason;
}

/** The branch, or `null` if its name contains an email address. */
export function publishableBranch(branch: string | null): string | null {
  return branch === null || holdsEmail(branch) ? null : branch;
}

const LETTER = /[\p{L}\p{N}]/u;

/** The name of an author without email addresses. If the name is nothing but an address, its part before the `@`, at most 64 characters. */
export function publishableAuthor(name: string): string {
  const clean = withoutEmail(name);
  if (clean === name || LETTER.test(clean.replace(/mailto:/gi, ''))) return clean;
  const [before = ''] = decodedText(name).split('@', 1);
  const local = before.replace(/^[^\p{L}\p{N}]*(?:mailto:)?[^\p{L}\p{N}]*/iu, '');
  return withoutEmail(/^.{0,63}[\p{L}\p{M}\p{N}]/su.exec(local)?.[0] ?? '');
}

/** Stands for a required text of which nothing is left. */
const NOTHING_LEFT = '…';

const WITH_EMAIL = new Refused('email-in-identifier' satisfies UnpublishableReason);
const FOREIGN = new Refused('foreign-id' satisfies UnpublishableReason);

const CHANGES: Readonly<Record<EmailRule, TextChange<ScopeRef> | null>> = {
  text: withoutEmail,
  author: publishableAuthor,
  'required-text': (text) => publishableAuthor(text) || NOTHING_LEFT,
  branch: publishableBranch,
  'required-branch': (branch) => publishableBranch(branch) ?? '',
  id: (id, scope) => (namesAnother(id, scope) ? FOREIGN : publishedName(id, scope)),
  name: publishedName,
  url: (url, scope) => (mayHoldEmail(url) && urlHoldsEmail(url, scope) ? WITH_EMAIL : url),
  unpublished: null,
};

function publishedName(name: string, scope: ScopeRef): string | Refused {
  return mayHoldEmail(name) && holdsEmail(withoutOwnName(name, scope)) ? WITH_EMAIL : name;
}

function urlHoldsEmail(url: string, scope: ScopeRef): boolean {
  const [, authority = ''] = /^[a-z]{1,16}:\/\/([^/?#\\]*)/i.exec(decodedText(url)) ?? [];
  return authority.includes('@') || holdsEmail(withoutOwnName(url, scope));
}

/** Removes each `owner/name@` of the record's own repository, because it looks like the start of an email address. */
function withoutOwnName(text: string, scope: ScopeRef): string {
  const own = ownName(scope);
  const lower = asciiLowerCase(text);
  let kept = '';
  let done = 0;
  for (let at = own === '' ? -1 : lower.indexOf(own); at >= 0; at = lower.indexOf(own, at + own.length)) {
    const end = at + own.length;
    const mark = lower.startsWith('@', end) ? '@' : '%40';
    if (!lower.startsWith(mark, end) || !/[/@]/.test(text[at - 1] ?? '/')) continue;
    kept += `${text.slice(done, at)}/`;
    done = end + mark.length;
  }
  return kept + text.slice(done);
}

/** A record of no repository is public as a whole, its id too, so it may have any id. */
function namesAnother(id: string, scope: ScopeRef): boolean {
  const at = id.indexOf('@');
  if (at < 0 || scope === NO_REPOSITORY) return false;
  const name = id.slice(0, at);
  return asciiLowerCase(name) !== ownName(scope) && parseRepositoryName(name) !== null;
}

function ownName(scope: ScopeRef): string {
  return scope === NO_REPOSITORY ? '' : nameOfRef(scope);
}

function publisherOf(fields: AnyFields) {
  const publish = changedTexts<ScopeRef>(fields, (form) => {
    const change = CHANGES[TEXT_FORMS[form]];
    return change && ((text, scope) => change(text.toWellFormed(), scope));
  });
  return (record: unknown, scope: ScopeRef): unknown => {
    const published = publish(record, scope);
    return published instanceof Refused ? published.reason : published;
  };
}

const PUBLISHERS: Readonly<Record<RecordKind, ReturnType<typeof publisherOf>>> = {
  ...byKind(({ fields }) => publisherOf(fields)),
  // The claims of a day repeat the source of stored checks, and are not published.
  'status-day': publisherOf({ serviceKey: CHECK_FACTS.fields.serviceKey }),
};

const publishRelease = publisherOf(RELEASE_SUMMARY_FIELDS);
