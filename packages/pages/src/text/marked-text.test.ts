import { markedText } from './marked-text.js';

const marked = (text: string, query: string): string =>
  markedText(text, query)
    .map(({ part, isMatch }) => (isMatch ? `[${part}]` : part))
    .join('');

it('marks the words that a search found, in any case and with any accent', () => {
  expect(marked('The Widget API of widgets', 'widget')).toBe('The [Widget] API of [widgets]');
  expect(marked('Größe ÉTÉ', 'ete')).toBe('Größe [ÉTÉ]');
  expect(marked('nothing', 'widget')).toBe('nothing');
  expect(marked('', 'widget')).toBe('');
});
