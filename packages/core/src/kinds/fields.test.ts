import { choice, flag, ifKnown, list, nullable, optional, part, someRepository, text, time, type Field, type WithFields } from './fields.js';
import type { ScopeRef } from './repository-name.js';

/** `true` only for the same type: with the same names, modifiers and values, written as one object. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

const partFields = { name: text('label', 'Name.', 'a'), isOpen: flag('Whether it is open.', true) };
interface Part extends WithFields<typeof partFields> {}
const named: Field<Part> = part('name and isOpen', partFields, 'A part.');

const fields = {
  repositoryRef: someRepository,
  state: choice(['up', 'down'], 'State.', 'up'),
  endedAt: nullable(time('When it ended.', '2026-11-20T13:47:55.000Z')),
  order: optional(nullable(text('short', 'Order.', '1'))),
  version: ifKnown(text('short', 'Version.', '1')),
  named: list('parts', named, 'Parts.'),
  inline: part('sha', { sha: optional(text('sha', 'Commit.', 'abc')) }, 'Commit.'),
};

interface Written {
  readonly repositoryRef: ScopeRef;
  readonly state: 'up' | 'down';
  readonly endedAt: number | null;
  readonly order?: string | null | undefined;
  readonly version?: string;
  readonly named: readonly Part[];
  readonly inline: { readonly sha?: string | undefined };
}

test('the type of a record is what one would write by hand', () => {
  const isSame: Same<WithFields<typeof fields>, { readonly [Name in keyof Written]: Written[Name] }> = true;
  const isSameInside: Same<WithFields<typeof fields>['inline'], Written['inline']> = true;
  expect([isSame, isSameInside]).toEqual([true, true]);
});
