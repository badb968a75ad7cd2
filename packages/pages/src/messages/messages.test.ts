import { LANGUAGES } from '../site.js';
import { messagesOf } from './messages.js';

/** Each text with its path. */
function textsIn(value: unknown, path = ''): readonly (readonly [string, unknown])[] {
  return typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, inner]) => textsIn(inner, path === '' ? name : `${path}.${name}`))
    : [[path, value]];
}

describe('the texts in German', () => {
  it('say after how many days', () => {
    expect(['1 Tag', '2 Tage 4 Std.', '26 Min.'].map(messagesOf('de').incident.after)).toEqual(['nach 1 Tag', 'nach 2 Tagen 4 Std.', 'nach 26 Min.']);
  });
});

describe.each(LANGUAGES)('the texts in %s', (language) => {
  const own = new Map(textsIn(messagesOf(language)));

  it('have the same keys as those in English', () => {
    expect([...own.keys()].sort()).toEqual(
      textsIn(messagesOf('en'))
        .map(([path]) => path)
        .sort(),
    );
  });

  it('say what each word means that a check of Vitrine stores for something else than success', () => {
    const words = [
      'slow',
      'timeout',
      'refused',
      'dns',
      'tls',
      'text',
      'recovered',
      'unconfirmed',
      'prober offline',
      'missed',
      'reported',
      'overloaded',
    ];
    expect(words.filter((word) => !Object.hasOwn(messagesOf(language).reasons, word))).toEqual([]);
  });

  it('are texts, or functions of the same number of values', () => {
    const different = textsIn(messagesOf('en')).filter(([path, text]) => {
      const other = own.get(path);
      return (
        typeof other !== typeof text || other === '' || (typeof text === 'function' && typeof other === 'function' && other.length !== text.length)
      );
    });
    expect(different).toEqual([]);
  });

  it('show the same values, each once', () => {
    const values = ['«0»', '«1»', '«2»', '«3»', '«4»', '«5»'];
    const shown = (text: unknown) =>
      typeof text === 'function' && text.length === 0
        ? String(text(...values))
            .match(/«\d»/gu)
            ?.sort()
        : undefined;
    const different = textsIn(messagesOf('en')).filter(([path, text]) => shown(own.get(path))?.join() !== shown(text)?.join());
    expect(different).toEqual([]);
  });
});
