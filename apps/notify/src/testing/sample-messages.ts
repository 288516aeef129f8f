import type { LinkMessage } from '@vaultsvc/contracts/sparks';

/** The moment at which the messages of the samples are written. */
export const now = new Date('2026-11-21T21:30:10Z');
export const url = 'https://links.example.com/abcdefghijklmnopqrstuv';

export const invitation: LinkMessage = {
  kind: 'invitation',
  channel: 'email',
  to: 'ada@example.com',
  link_type: 'spark',
  asset_id: 'spk_0123456789abcdefghijkl',
  identity: null,
  organization_name: 'Engines',
  link_url: url,
  code: null,
  expires_at: Date.parse('2026-11-22T21:30:00Z') / 1_000,
};
export const delivery: LinkMessage = { ...invitation, kind: 'delivery', link_type: 'ingot' };
export const code: LinkMessage = {
  ...invitation,
  kind: 'code',
  link_url: null,
  code: '012345',
  expires_at: Date.parse('2026-11-21T21:40:00Z') / 1_000,
};
export const lockout: LinkMessage = {
  ...invitation,
  kind: 'lockout',
  link_url: null,
  identity: 'guest@example.net',
};
