import { asksForHtml, prefersJson } from './finished-answer.js';

describe('the type that a client wants', () => {
  it.each<{ readonly accept: string | undefined; readonly json: boolean; readonly html: boolean }>([
    { accept: undefined, json: false, html: false },
    { accept: '*/*', json: false, html: false },
    { accept: 'application/json', json: true, html: false },
    { accept: 'text/html', json: false, html: true },
    { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', json: false, html: true },
    { accept: 'application/json, text/plain, */*', json: true, html: false },
    { accept: 'application/json, text/html', json: true, html: false },
    { accept: 'text/html, application/json', json: false, html: true },
    { accept: 'application/json;q=0.5, text/html;q=0.9', json: false, html: true },
    { accept: 'application/json;q=0.9, text/*;q=0.5', json: true, html: false },
    { accept: 'application/json;q=0, */*', json: false, html: false },
    { accept: 'text/html;q=0, application/json;q=0', json: true, html: false },
    { accept: 'text/html;q=0', json: true, html: false },
    { accept: 'text/html;q=0, */*', json: true, html: false },
    { accept: 'application/*', json: true, html: false },
    { accept: 'image/png', json: false, html: false },
    { accept: 'Application/JSON', json: true, html: false },
    { accept: 'application/ld+json', json: false, html: false },
  ])('of $accept is JSON: $json, HTML: $html', ({ accept, json, html }) => {
    const headers = accept === undefined ? {} : { accept };
    expect([prefersJson(headers), asksForHtml(headers)]).toEqual([json, html]);
  });
});
