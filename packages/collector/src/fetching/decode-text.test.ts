import fc from 'fast-check';
import { decodeText } from './decode-text.js';

describe('decodeText', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1');

  it.each([
    ['UTF-8 by default', Buffer.from('café'), '', 'café'],
    ['the Content-Type', latin('café'), 'text/xml; charset=ISO-8859-1', 'café'],
    [
      'the XML declaration',
      latin('<?xml version="1.0" encoding="windows-1252"?>\x93caf\xe9\x94'),
      'text/xml',
      '<?xml version="1.0" encoding="windows-1252"?>“café”',
    ],
    ['the byte order mark, before all others', Buffer.from('\ufeffcafé', 'utf16le'), 'text/xml; charset=utf-8', 'café'],
    [
      'UTF-8 if the declaration says UTF-16, which it cannot be',
      Buffer.from('<?xml version="1.0" encoding="utf-16"?>é'),
      '',
      '<?xml version="1.0" encoding="utf-16"?>é',
    ],
    ['UTF-8 with a mark', Buffer.from('\ufeffcafé'), '', 'café'],
  ])('follows %s', (_, bytes, contentType, text) => {
    expect(decodeText(bytes, contentType)).toBe(text);
  });

  it('reads bytes that are no UTF-8 and declare nothing as windows-1252', () => {
    expect(decodeText(latin('\x93caf\xe9\x94'), 'text/xml')).toBe('“café”');
    expect(decodeText(latin('<?xml version="1.0"?><a>\x80</a>'), '')).toBe('<?xml version="1.0"?><a>€</a>');
    fc.assert(
      fc.property(fc.array(fc.constantFrom('é', 'a ', 'ü', 'ß', 'naïve ', '“'), { minLength: 1 }), (parts) => {
        const text = `${parts.join('e')} é `;
        expect(decodeText(latin(text.replaceAll('“', '\x93')), '')).toBe(text);
        expect(decodeText(Buffer.from(text), '')).toBe(text);
      }),
    );
  });

  it('replaces bytes that do not fit, and does not guess an unknown encoding', () => {
    expect(decodeText(Buffer.concat([Buffer.from('é, ü, '), latin('\xe9')]), '')).toBe('é, ü, \ufffd');
    expect(decodeText(latin('caf\xe9'), 'text/xml; charset=utf-8')).toBe('caf\ufffd');
    expect(decodeText(Buffer.from('a'), 'text/xml; charset=klingon')).toBeNull();
  });
});
