import { Injectable } from '@nestjs/common';
import { validationError, type ProviderContext } from '@vaultsvc/contracts';
import type { ConnectedInstallation } from '../installations/installation.repository.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { IntegrationsConfig } from '../config.js';
import { verifyChatSignature } from '../webhooks/chat-signature.js';
import { AccountCalls } from '../webhooks/account-calls.js';
import { DeliveryRepository } from '../webhooks/delivery.repository.js';

/** The parts of a webhook that its handler needs besides the body. */
interface SignedBody {
  readonly raw: Buffer;
}

/** Verifies webhooks of the chat platform, and finds the installation that they are about. */
@Injectable()
export class ChatWebhook {
  constructor(
    private readonly config: IntegrationsConfig,
    private readonly deliveries: DeliveryRepository,
    private readonly installations: InstallationRepository,
    private readonly calls: AccountCalls,
  ) {}

  /** The raw body, once its signature is verified. Throws AUTHENTICATION_ERROR. */
  verify({ raw }: SignedBody, { signedRequest }: ProviderContext): { text: string; signature: string } {
    const signature = verifyChatSignature(this.config.CHATAPP_SIGNING_SECRET, signedRequest, raw);
    return { text: raw.toString('utf8'), signature };
  }

  /** False for a request that was received before: it must have no further effect. */
  isFirst(delivery: string): Promise<boolean> {
    return this.deliveries.isFirst('chatapp', delivery);
  }

  installation(teamId: string): Promise<ConnectedInstallation | undefined> {
    return this.installations.findConnected('chatapp', teamId);
  }

  /** Counts a request on its account, before anything of it is recorded. Throws RATE_LIMIT_EXCEEDED. */
  count({ accountId }: ConnectedInstallation): Promise<void> {
    return this.calls.count(accountId);
  }
}

/** Throws VALIDATION_ERROR unless the text is a JSON object. */
export function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Refused below.
  }
  throw validationError({ field: '', message: 'the body must be a JSON object' });
}
