import { describe, expect, it } from '@jest/globals';
import { actorText, factsOf, typeText, type AuditEntry } from './entry-words.js';

const entry: AuditEntry = {
  event_id: '01a2137f-587f-73d1-bab6-e9abe32a5d9e',
  event_type: 'vault_created',
  timestamp: 1_795_564_800,
  details: { vault_id: 'vlt_1', count: 2, actor: { kind: 'api_key', id: 'key_1' } },
  actor_type: 'api_key',
  actor_display: 'Backup job',
};

describe('AUD-10: the words of an entry', () => {
  it.each([
    ['spark_read', 'Read a secret'],
    ['ingot_created', 'Added a file or secrets'],
    ['user_joined', 'User joined'],
  ])('say of the type %s: %s', (type, text) => expect(typeText(type)).toBe(text));

  it('name people and keys, and others by their kind', () => {
    expect(actorText(entry)).toBe('API key Backup job');
    expect(actorText({ ...entry, actor_type: 'user', actor_display: 'ana@example.com' })).toBe(
      'ana@example.com',
    );
    const visitor = {
      actor_type: null,
      actor_display: null,
      details: { actor: { kind: 'visitor', id: 'l' } },
    };
    expect(actorText({ ...entry, ...visitor })).toBe('A visitor of a link');
    expect(actorText({ ...entry, ...visitor, details: {} })).toBe('A visitor, or the platform');
  });

  it('have the actor, the vault and all other fields', () => {
    expect(factsOf(entry)).toEqual({
      actorId: 'key_1',
      vaultId: 'vlt_1',
      others: [
        ['vault_id', 'vlt_1'],
        ['count', '2'],
      ],
    });
    expect(factsOf({ ...entry, details: {} })).toEqual({
      actorId: undefined,
      vaultId: undefined,
      others: [],
    });
  });
});
