import { expect } from '@jest/globals';
import { ProviderFailure } from '../outbound/provider-failure.js';
import type { OutgoingNotification } from '../providers/provider.js';

/** A notification in full. Its link stays valid for an hour. */
export function notificationTo(
  address: string,
  changes: Partial<OutgoingNotification> = {},
): OutgoingNotification {
  return {
    deliveryId: '0198c0de-0000-4000-8000-000000000001',
    address,
    organizationName: 'Engines',
    title: 'Contract',
    category: 'approval',
    type: 'contract',
    linkUrl: 'https://links.example.com/abcdefghijklmnopqrstuv',
    expiresAt: Math.floor(Date.now() / 1_000) + 3_600,
    unsubscription: null,
    sendId: 'ntsnd_1',
    recipient: 'ada@example.com',
    ...changes,
  };
}

/** The failure of a delivery, which must be one. */
export async function failureOf(sending: Promise<unknown>): Promise<ProviderFailure> {
  const error = await sending.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(ProviderFailure);
  return error as ProviderFailure;
}
