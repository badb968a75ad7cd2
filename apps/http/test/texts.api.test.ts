import { aRelease, aRepositoryRecord, anArticle } from '@vitrine/core/testing';
import { DEFAULT_SITE, type TextRenderer, type TextTask } from '@vitrine/pages';
import { Api } from './support/api.js';

afterEach(() => Api.closeAll());

const RECORDS = [
  aRepositoryRecord(),
  aRelease({ tagName: 'v1', body: '*zebra* <b>' }),
  anArticle({ id: 'guide', title: 'Guide', summary: 'A *zebra*.', body: '*zebra* in Markdown', changes: [] }),
  anArticle({ id: 'html', title: 'HTML', summary: '', body: '<p>a zebra</p><p>in HTML</p>', bodyFormat: 'html', changes: [] }),
  anArticle({ id: 'text', title: 'Text', summary: '', body: '*zebra* in a text', bodyFormat: 'text', changes: [] }),
];
const RELEASE = '/releases/acme%2Fwidget%40v1';

/** Answers when it is told to, and remembers what it was asked. */
class TestRenderer implements TextRenderer {
  readonly asked: TextTask[] = [];
  answer: (task: TextTask) => Promise<string | null> = () => Promise.resolve(null);

  readonly #kept = new Map<string, string | null>();

  async render(task: TextTask): Promise<string | null> {
    this.asked.push(task);
    const rendered = await this.answer(task);
    this.#kept.set(`${task.form} ${task.text}`, rendered);
    return rendered;
  }

  kept({ form, text }: TextTask): string | null | undefined {
    return this.#kept.get(`${form} ${text}`);
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const opened = async (texts?: TextRenderer): Promise<Api> =>
  Api.open({ records: RECORDS, site: DEFAULT_SITE, cacheAnswers: false, ...(texts !== undefined && { texts }) });

describe('texts of records on pages', () => {
  it('are shown as they are written if they cannot be rendered in time', async () => {
    const api = await opened(new TestRenderer());
    expect((await api.get(RELEASE)).body).toContain('<p class="plain">*zebra* &lt;b></p>');
    expect((await api.get('/articles/guide')).body).toContain('<p class="plain">*zebra* in Markdown</p>');
    expect((await api.get('/articles/html')).body).toMatch(/<p class="plain"> +a zebra +in HTML *<\/p>/);
    const search = await api.get('/search?q=zebra');
    expect(search.body).toContain('*<mark>zebra</mark>* &lt;b>');
  });

  it('are all given to the renderer, and nothing else is', async () => {
    const texts = new TestRenderer();
    texts.answer = ({ form }) => Promise.resolve(form === 'excerpt' ? 'rendered zebra' : '<p><i>rendered</i></p>');
    const api = await opened(texts);
    for (const path of [RELEASE, '/articles/guide', '/articles/html']) expect((await api.get(path)).body).toContain('<p><i>rendered</i></p>');
    expect((await api.get('/articles/text')).body).toContain('<p class="plain">*zebra* in a text</p>');
    expect(texts.asked.map(({ form, text }) => [form, text])).toEqual([
      ['markdown', '*zebra* <b>'],
      ['markdown', '*zebra* in Markdown'],
      ['html', '<p>a zebra</p><p>in HTML</p>'],
    ]);
    expect((await api.get('/search?q=zebra')).body).toContain('rendered <mark>zebra</mark>');
    expect(texts.asked.slice(3).map(({ form, text }) => `${form} ${text}`)).toEqual(['excerpt *zebra* <b>', 'excerpt A *zebra*.', 'excerpt ']);
  });

  it('hold up no other request', async () => {
    const texts = new TestRenderer();
    let finish: (html: null) => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      texts.answer = () => {
        resolve();
        return new Promise((done) => (finish = done));
      };
    });
    const api = await opened(texts);
    const page = api.get(RELEASE);
    await begun;
    expect((await api.get('/livez')).status).toBe(200);
    expect((await api.get('/api/v1/development/commits')).status).toBe(200);
    finish(null);
    expect((await page).status).toBe(200);
  });

  it('are rendered in a thread by default', async () => {
    const api = await opened();
    expect((await api.get(RELEASE)).body).toContain('<em>zebra</em>');
    expect((await api.get('/search?q=zebra')).body).toContain('<mark>zebra</mark>');
  });
});
