import fc from 'fast-check';
import type { RepositoryRef } from '../kinds/repository-name.js';
import { Allowlist, type AllowlistEntry, ApprovedRepositories } from './allowlist.js';

const entry = (fullName: string, forgeId: string | null = null): AllowlistEntry => {
  const [owner = '', name = ''] = fullName.split('/');
  return { fullName, owner, name, forgeId };
};

describe('Allowlist', () => {
  it('approves its repositories in any letter case, and nothing else', () => {
    const approved = Allowlist.of('Acme/Widget', 'acme/gadget').approved();
    expect(approved.refOf('ACME/widget')).toBe('acme/widget');
    expect(approved.refOf('acme/secret')).toBeNull();
    expect(approved.refs).toEqual(['acme/gadget', 'acme/widget']);
    expect(approved.scopes).toEqual(['acme/gadget', 'acme/widget', '-']);
  });

  it.each(['', 'acme', 'acme/widget/', 'acme/widget#1', '__proto__', 'constructor', '-', '*', '\u0430cme/widget', 'acme/wid\u212aet'])(
    'does not know %s',
    (name) => {
      expect(Allowlist.of('acme/widget', 'acme/widket').approved().refOf(name)).toBeNull();
    },
  );

  it('refuses a malformed name', () => {
    expect(() => Allowlist.of('acme')).toThrow(new RangeError('"acme" is not owner/name'));
  });

  it('says how to pass a list', () => {
    expect(() => Allowlist.of(['acme/widget'] as unknown as string)).toThrow('call Allowlist.of(...names)');
  });

  it('gives the names back as the list spells them', () => {
    const approved = new Allowlist([entry('Acme/Widget', '42')]).approved();
    expect(approved.nameOf('acme/widget#42')).toMatchObject({ fullName: 'Acme/Widget', owner: 'Acme', name: 'Widget' });
    expect(approved.nameOf('acme/widget')).toBeNull();
  });

  it('tells records of another forge id apart', () => {
    const approved = new Allowlist([entry('acme/widget', '42')]).approved();
    expect(approved.refOf('acme/widget')).toBe('acme/widget#42');
    expect(approved.admits('acme/widget#42')).toBe(true);
    expect(approved.admits('acme/widget#43')).toBe(false);
    expect(approved.admits('acme/widget')).toBe(false);
  });

  it('lets the last of two entries of one name count alone', () => {
    const approved = new Allowlist([entry('acme/widget', '1'), entry('ACME/Widget', '2')]).approved();
    expect(approved.refs).toEqual(['acme/widget#2']);
    expect(approved.admits('acme/widget#1')).toBe(false);
  });

  it('admits records of no repository, but never through one repository', () => {
    const approved = Allowlist.of('acme/widget').approved();
    expect(approved.admits('-')).toBe(true);
    expect(approved.only('acme/widget').admits('-')).toBe(false);
    expect(approved.only('acme/widget').scopes).toEqual(['acme/widget']);
  });

  it('narrows to one of its repositories, and to nothing for another', () => {
    const approved = new Allowlist([entry('acme/gadget'), entry('acme/widget')], 'r7').approved();
    const only = approved.only('acme/widget');
    expect(only.refs).toEqual(['acme/widget']);
    expect(only.refOf('acme/gadget')).toBeNull();
    expect(only.revision).toBe('r7');
    expect(approved.only('acme/secret').refs).toEqual([]);
    expect(only.only('acme/gadget').refs).toEqual([]);
  });

  it('never means everything when it is empty', () => {
    const approved = new Allowlist([]).approved();
    expect(approved.refs).toEqual([]);
    expect(approved.scopes).toEqual(['-']);
    expect(approved.admits('acme/widget')).toBe(false);
  });

  it('orders its refs by name, however the list is ordered', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-c]{1,2}\/[a-c._-]{1,3}$/).filter((text) => !/\/\.{1,2}$/.test(text)));
    fc.assert(
      fc.property(names, (list) => {
        expect(Allowlist.of(...list).approved().refs).toEqual([...list].sort());
      }),
    );
  });
});

describe('ApprovedRepositories', () => {
  it('has a revision of its own, also when two lists were made from the same names', () => {
    const revisions = [Allowlist.of('acme/widget'), Allowlist.of('acme/gadget'), Allowlist.of('acme/widget'), new Allowlist([])].map(
      (list) => list.approved().revision,
    );
    expect(new Set(revisions).size).toBe(4);
    const list = Allowlist.of('acme/widget');
    expect(list.approved().revision).toBe(list.approved().revision);
  });

  it('cannot be made by hand', () => {
    // @ts-expect-error the constructor is private
    const make = () => new ApprovedRepositories([], '1', true);
    expect(make).toBeDefined();
  });

  it('is no look-alike', () => {
    const lookAlike = {
      refs: ['acme/secret'],
      scopes: [],
      revision: '1',
      refOf: () => null,
      nameOf: () => null,
      admits: () => true,
      only: () => null,
    };
    // @ts-expect-error only an instance has the private fields
    const forged: ApprovedRepositories = lookAlike;
    expect(forged).not.toBeInstanceOf(ApprovedRepositories);
    const bare: unknown = Object.create(ApprovedRepositories.prototype);
    expect(() => bare instanceof ApprovedRepositories && bare.admits('acme/secret')).toThrow(TypeError);
  });

  it('gives lists that change nothing when they are changed', () => {
    const approved = Allowlist.of('acme/widget').approved();
    const refs = [...approved.refs] satisfies RepositoryRef[];
    (approved.refs as RepositoryRef[]).push('acme/secret');
    expect(approved.refs).toEqual(refs);
    expect(approved.admits('acme/secret')).toBe(false);
  });
});
