import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { NO_REPOSITORY, type Video } from '@vitrine/core';
import type { FeedOrigin } from '../feed/distinct-items.js';
import { parseItems } from '../feed/feed-source.js';
import { VIDEOS } from './video-source.js';

const NOW = Date.UTC(2026, 10, 20, 12);
const ORIGIN: FeedOrigin = {
  address: 'https://www.youtube.com/feeds/videos.xml?channel_id=UCacme',
  label: 'YouTube: Acme',
  publicUrl: null,
  isOfficial: true,
  allowPrivate: false,
  repositoryRef: NO_REPOSITORY,
};

function parsed(body: string | Uint8Array, origin: Partial<FeedOrigin> = {}) {
  const document = { body: Buffer.from(body), contentType: 'text/xml; charset=UTF-8' };
  const { records, warnings } = parseItems(VIDEOS, document, { origin: { ...ORIGIN, ...origin }, now: NOW });
  return { records: records as readonly Video[], warnings };
}

const fixture = (name: string) => readFileSync(join(__dirname, '../../../test/feeds', name));

describe('videos of a feed', () => {
  it('reads the feed of a YouTube channel', () => {
    expect(parsed(fixture('youtube.xml'))).toEqual({
      warnings: [],
      records: [
        {
          kind: 'video',
          repositoryRef: '-',
          id: expect.stringMatching(/^youtube-acme-[0-9a-f]{20}$/),
          title: 'Widget 2.1 in five minutes',
          description: 'Tour of the release.\n\n0:00 Intro\n1:10 Feeds & badges — write to',
          platform: 'youtube',
          channelName: 'Acme',
          url: 'https://www.youtube.com/watch?v=abc123DEF_-',
          embedUrl: 'https://www.youtube-nocookie.com/embed/abc123DEF_-',
          thumbnailUrl: 'https://i3.ytimg.com/vi/abc123DEF_-/hqdefault.jpg',
          durationSeconds: null,
          language: null,
          tags: [],
          publishedAt: Date.UTC(2026, 10, 18, 12),
          discoveredAt: NOW,
          sourceUrl: 'https://www.youtube.com/watch?v=abc123DEF_-',
          provenance: {
            source: 'YouTube: Acme',
            sourceKind: 'official-source',
            sourceUrl: 'https://www.youtube.com/channel/UCacme0000000000000000000',
            observedAt: NOW,
            publishedAt: Date.UTC(2026, 10, 18, 12),
            confidence: 'high',
            isOfficialSource: true,
          },
        },
      ],
    });
  });

  it('reads the feed of a PeerTube channel', () => {
    expect(parsed(fixture('peertube.xml'), { address: 'https://tube.acme.example/feeds/videos.xml', label: 'Acme Tube' }).records).toMatchObject([
      {
        title: 'How feeds work',
        description: 'A short talk about feeds.',
        platform: 'peertube',
        channelName: 'acme',
        url: 'https://tube.acme.example/w/9c9de5e8',
        embedUrl: 'https://tube.acme.example/videos/embed/9c9de5e8',
        thumbnailUrl: 'https://tube.acme.example/lazy-static/previews/a.jpg',
        durationSeconds: 301,
      },
    ]);
  });

  it('reads any Media RSS, leaves out what is no video, and makes hostile addresses null', () => {
    const { records, warnings } = parsed(fixture('media-rss.xml'), { repositoryRef: 'acme/widget' as never });
    expect(records).toMatchObject([
      {
        repositoryRef: 'acme/widget',
        title: 'Build badges',
        description: 'Badges in two minutes',
        platform: 'web',
        channelName: 'Acme Screencasts',
        embedUrl: null,
        thumbnailUrl: null,
        durationSeconds: 125,
        language: 'en',
        tags: ['badges', 'builds'],
      },
    ]);
    expect(warnings).toEqual(['items that were left out, because they lack a video, an address or a date: 1']);
  });

  it('ignores a long language, which would be stored with each item', () => {
    const languageOf = (language: string) =>
      parsed(String(fixture('media-rss.xml')).replace('<language>en<', `<language>${language}<`)).records[0]?.language;
    expect([languageOf('de'), languageOf(`de${'-latn'.repeat(6)}`), languageOf(`de${'-latn'.repeat(7)}`)]).toEqual([
      'de',
      `de${'-latn'.repeat(6)}`,
      null,
    ]);
  });

  it('builds no player from a hostile video id', () => {
    const text = String(fixture('youtube.xml')).replace('<yt:videoId>abc123DEF_-', '<yt:videoId>"><script>');
    expect(parsed(text.replace('"><script>', '&quot;&gt;a/../b')).records[0]?.embedUrl).toBeNull();
  });

  it('refuses a web page', () => {
    expect(() => parsed('<html></html>')).toThrow(expect.objectContaining({ code: 'NOT_A_FEED' }));
  });
});
