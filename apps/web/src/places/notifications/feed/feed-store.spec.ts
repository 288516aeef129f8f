import { describe, expect, it } from '@jest/globals';
import { entryOf, feedStore, linkOf, receive, type FeedEntry } from './feed-store.js';

const entry = (position: number, link_url: string | null = null): FeedEntry => ({
  position,
  delivery_id: `d${position}`,
  send_id: 's',
  recipient: 'ann@example.com',
  title: null,
  category: null,
  type: null,
  link_url,
  expires_at: 1,
  created_at: 1,
});

describe('NTF-44: the live feed of the web application', () => {
  it('keeps each entry once, the newest first, and where to go on', () => {
    for (const position of [1, 2, 2, 3]) receive(entry(position));
    const { entries, last } = feedStore.get();
    expect(entries.map(({ position }) => position)).toEqual([3, 2, 1]);
    expect(last).toBe(3);
  });

  it('ignores messages that are no entries', () => {
    expect(entryOf(JSON.stringify(entry(1)))).toEqual(entry(1));
    for (const text of ['', '{}', 'null', '{"position":"1"}', 7]) expect(entryOf(text)).toBeUndefined();
  });

  it('leads to addresses of the web alone', () => {
    expect(linkOf(entry(1, 'https://links.example/a'))).toBe('https://links.example/a');
    expect(linkOf(entry(1, 'javascript:alert(1)'))).toBeUndefined();
    expect(linkOf(entry(1))).toBeUndefined();
  });
});
