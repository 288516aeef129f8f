import { describe, expect, it } from '@jest/globals';
import { mergeSent, type SentFacts } from './merge-sent.js';
import type { FileLinkFacts, HistoryItem, SparkFacts } from './sent-facts.js';

const NOW = 1_790_001_000;
const item = (id: string, created_at: number) =>
  ({
    type: 'spark',
    spark_id: id,
    status: 'active',
    created_at,
    created_by: {},
    openings: [],
    expires_at: NOW,
  }) as unknown as HistoryItem;
const spark = (id: string, created_at: number) =>
  ({
    spark_id: id,
    status: 'active',
    content_type: 'text/plain',
    created_at,
    burned_at: null,
    time_remaining: 60,
  }) as SparkFacts;
const fileLink = (link_id: string, change: Partial<FileLinkFacts> = {}): FileLinkFacts => ({
  link_id,
  asset_id: 'ing_1',
  vault_id: 'vlt_1',
  status: 'active',
  created_at: NOW - 1,
  created_by: { kind: 'person', id: 'usr_me', name: null },
  expires_at: NOW + 60,
  ...change,
});
const keysOf = (facts: Partial<SentFacts>) =>
  mergeSent(
    { items: [], sparks: [], links: [], fileLinks: [], hasMoreItems: false, hasMoreSparks: false, ...facts },
    NOW,
    'usr_me',
  ).map(({ key, isOpen }) => `${key}${isOpen ? '' : ' ended'}`);

describe('SPK-53: Sent', () => {
  it('has a Spark once, newest first, and one of which the history has not heard', () => {
    const items = [item('b', 200), item('a', 100)];
    expect(keysOf({ items, sparks: [spark('c', 300), spark('b', 200), spark('a', 100)] })).toEqual([
      'c',
      'b',
      'a',
    ]);
  });

  it('leaves a Spark that a later page of the history has to that page', () => {
    const facts = { items: [item('b', 200)], sparks: [spark('b', 200), spark('a', 100)] };
    expect(keysOf({ ...facts, hasMoreItems: true })).toEqual(['b']);
    expect(keysOf(facts)).toEqual(['b', 'a']);
  });

  it('knows what has ended only as far as the live list was read', () => {
    const facts = { items: [item('c', 300), item('a', 100)], sparks: [spark('b', 200)] };
    expect(keysOf({ ...facts, hasMoreSparks: true })).toEqual(['c ended', 'b', 'a']);
    expect(keysOf(facts)).toEqual(['c ended', 'b', 'a ended']);
  });

  it('has a link of a file that the person has just made before the history has it, and once after that', () => {
    const made = fileLink('l');
    const listed = { ...item('', NOW - 1), spark_id: undefined, type: 'ingot', link_id: 'l' } as HistoryItem;
    const before = { items: [item('a', 100)], sparks: [spark('a', 100)], fileLinks: [made] };
    expect(keysOf(before)).toEqual(['l', 'a']);
    expect(keysOf({ items: [listed], fileLinks: [made] })).toEqual(['l']);
  });

  it.each([
    ['of another person', { created_by: { kind: 'person', id: 'usr_other', name: null } }],
    ['that is older than the history is late', { created_at: NOW - 60 }],
    ['that has ended', { status: 'revoked' }],
    ['without an id', { link_id: undefined }],
  ] as const)('leaves to the history a link of a file %s', (_, change) => {
    expect(keysOf({ fileLinks: [fileLink('l', change)] })).toEqual([]);
  });
});
