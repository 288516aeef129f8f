import { isManager } from './session/session-state.js';
import type { PlaceEntry } from './shell/place-entry.js';

/**
 * All places, in the order of the navigation. To add one: a line here, its name in `placeTexts`, a folder `places/<name>` whose entry file
 * exports `Place`, and a file of texts. ADR 56 has the rest.
 */
export const places: readonly PlaceEntry[] = [
  {
    name: 'send',
    icon: 'send',
    routes: [{ path: '/send', load: () => import('./places/send/send-place.js') }],
  },
  {
    name: 'sent',
    icon: 'sent',
    routes: [{ path: '/sent', load: () => import('./places/sent/sent-place.js') }],
  },
  {
    name: 'vaults',
    icon: 'vault',
    routes: [
      { path: '/vaults', load: () => import('./places/vaults/vaults-place.js') },
      { path: '/vaults/new', load: () => import('./places/vaults/new-vault-place.js') },
      { path: '/vaults/$vaultId', load: () => import('./places/vaults/files/files-place.js') },
      {
        path: '/vaults/$vaultId/folders/$folderId',
        load: () => import('./places/vaults/files/files-place.js'),
      },
      { path: '/vaults/$vaultId/secrets', load: () => import('./places/vaults/secrets/secrets-place.js') },
      {
        path: '/vaults/$vaultId/secrets/$ingotId',
        load: () => import('./places/vaults/secrets/secret-set-place.js'),
      },
      { path: '/vaults/$vaultId/keys', load: () => import('./places/vaults/keys/keys-place.js') },
      { path: '/vaults/$vaultId/activity', load: () => import('./places/vaults/activity/activity-place.js') },
    ],
  },
  {
    name: 'notifications',
    icon: 'bell',
    routes: [
      { path: '/notifications', load: () => import('./places/notifications/notifications-place.js') },
      {
        path: '/notifications/new',
        load: () => import('./places/notifications/compose/compose-place.js'),
        action: 'notify',
      },
      {
        path: '/notifications/sends/$sendId',
        load: () => import('./places/notifications/sends/send-place.js'),
      },
      {
        path: '/notifications/receipts',
        load: () => import('./places/notifications/receipts/check-place.js'),
        action: 'checkReceipt',
      },
      { path: '/notifications/feed', load: () => import('./places/notifications/feed/feed-place.js') },
      { path: '/notifications/preferences', load: () => import('./places/notifications/mine/mine-place.js') },
      {
        path: '/notifications/configuration',
        load: () => import('./places/notifications/configuration/configuration-place.js'),
      },
    ],
  },
  {
    name: 'people',
    icon: 'people',
    routes: [
      { path: '/people', load: () => import('./places/people/people-place.js') },
      {
        path: '/people/invite',
        load: () => import('./places/people/invite-place.js'),
        action: 'invite',
        isActionFor: isManager,
      },
    ],
  },
  {
    name: 'keys',
    icon: 'key',
    routes: [
      { path: '/keys', load: () => import('./places/keys/keys-place.js') },
      { path: '/keys/new', load: () => import('./places/keys/create-place.js'), action: 'createKey' },
    ],
    isFor: isManager,
  },
  {
    name: 'domains',
    icon: 'domain',
    routes: [{ path: '/domains', load: () => import('./places/domains/domains-place.js') }],
    isFor: isManager,
  },
  {
    name: 'usage',
    icon: 'chart',
    routes: [{ path: '/usage', load: () => import('./places/usage/usage-place.js') }],
    isFor: isManager,
  },
  {
    name: 'audit',
    icon: 'log',
    routes: [{ path: '/audit', load: () => import('./places/audit/audit-place.js') }],
    isFor: isManager,
  },
  {
    name: 'billing',
    icon: 'card',
    routes: [
      { path: '/billing', load: () => import('./places/billing/billing-place.js') },
      { path: '/billing/seats', load: () => import('./places/billing/seats-place.js'), action: 'buySeats' },
    ],
    isFor: isManager,
  },
  {
    name: 'integrations',
    icon: 'plug',
    routes: [
      { path: '/integrations', load: () => import('./places/integrations/integrations-place.js') },
      { path: '/integrations/$appId/return', load: () => import('./places/integrations/return-place.js') },
    ],
  },
  {
    name: 'settings',
    icon: 'settings',
    routes: [{ path: '/settings', load: () => import('./places/settings/settings-place.js') }],
    isFor: isManager,
  },
  {
    name: 'profile',
    icon: 'person',
    routes: [{ path: '/profile', load: () => import('./places/profile/profile-place.js') }],
    isInAccountBar: true,
  },
];
