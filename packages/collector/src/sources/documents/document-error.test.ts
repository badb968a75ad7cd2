import { DocumentError } from '../../running/source.js';

it('has a message that cannot control a terminal or fill a log', () => {
  const { message } = new DocumentError('front matter', `a\u001b]0;title\u0007.md:\nis not valid ${'x'.repeat(10_000)}`);
  expect(message.slice(0, 46)).toBe('front matter: a ]0;title .md: is not valid xxx');
  expect(message.length).toBeLessThan(2_100);
});
