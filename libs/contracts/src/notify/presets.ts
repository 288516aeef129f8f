import type { NotifyPolicy } from './send.js';
import type { NotifyChannel } from './channels.js';

/** A policy and channels that belong together. Without `channels` those of the configuration apply (NTF-12). */
export interface NotifyPreset {
  readonly policy: Readonly<Pick<NotifyPolicy, 'verification_level' | 'interaction'>>;
  readonly channels?: readonly NotifyChannel[];
}

/** The presets of our own code (NTF-31). No operation accepts the name of a preset (NTF-32). */
export const notifyPresets = {
  alert: { policy: { verification_level: 'none', interaction: 'view' } },
  secureMessage: {
    policy: { verification_level: 'identifier', interaction: 'view' },
    channels: ['push', 'email'],
  },
  conversation: {
    policy: { verification_level: 'identifier', interaction: 'reply' },
    channels: ['in_app', 'push', 'email'],
  },
  approval: {
    policy: { verification_level: 'passkey', interaction: 'approve' },
    channels: ['in_app', 'push', 'email'],
  },
  signatureRequest: {
    policy: { verification_level: 'passkey', interaction: 'sign' },
    channels: ['in_app', 'push', 'email'],
  },
} as const satisfies Readonly<Record<string, NotifyPreset>>;
