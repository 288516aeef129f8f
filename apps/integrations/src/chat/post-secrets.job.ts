import { randomUUID } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { WebClient } from '@slack/web-api';
import { AppError } from '@vaultsvc/contracts';
import { deleteSpark } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import { contextOf } from '../installations/installation-context.js';
import {
  InstallationRepository,
  type ConnectedInstallation,
} from '../installations/installation.repository.js';
import { platformError } from '../providers/chat-oauth.js';
import { ChatClients } from './chat-clients.js';
import { ChatSecretRepository, type ChatSecret } from './chat-secret.repository.js';
import { secretMessage, textMessage } from './chat-views.js';
import { adviceOn } from './conversation-advice.js';

const RETRY_SECONDS_MAX = 60;
const CALL_MS = 5_000;
/** The actor of the end of a secret that could not be posted. */
const WITHDRAWAL = { kind: 'job', id: 'post-secrets' } as const;

/**
 * Writes the messages of secrets, until each is in its conversation or its Spark expires, and deletes Sparks whose call has died
 * or whose app was uninstalled before.
 * The platform has no idempotency key: a message whose answer was lost may be there twice; its secret is viewed once all the same.
 */
@Injectable()
export class PostSecrets {
  readonly everySeconds = 5;
  readonly #logger = new Logger('chat');

  constructor(
    private readonly secrets: ChatSecretRepository,
    private readonly installations: InstallationRepository,
    private readonly clients: ChatClients,
    private readonly bus: Bus,
  ) {}

  /** Writes now, besides the schedule. Never fails. */
  wake(): void {
    this.run().catch((error: unknown) =>
      this.#logger.error({ msg: 'messages are written later', err: error }),
    );
  }

  async run(): Promise<void> {
    await this.secrets.deleteExpired();
    for (;;) {
      const due = await this.secrets.claimDue();
      if (!due) return;
      await this.#settle(due);
    }
  }

  async #settle(secret: ChatSecret & { state: 'minting' | 'posting'; attempts: number }): Promise<void> {
    const installation = await this.installations.findLiving('chatapp', secret.teamId);
    const isOfInstallation =
      installation?.accountId === secret.accountId && installation.generation === secret.generation;
    if (secret.expiresAt <= Date.now() / 1_000) return this.secrets.delete(secret.sparkId);
    try {
      // Uninstalled meanwhile: nobody was told of it, and nobody can view it (CHT-25).
      if (!installation || !isOfInstallation) await this.#withdraw(secret);
      else if (installation.isSuspended) throw new AppError('APP_SUSPENDED');
      else if (secret.state === 'minting') await this.#withdraw(secret);
      else await this.#post(secret, installation);
    } catch (error) {
      this.#logger.warn({
        msg: 'the message of a secret is written later',
        sparkId: secret.sparkId,
        err: error,
      });
      await this.secrets.postpone(
        secret.sparkId,
        Math.min(RETRY_SECONDS_MAX, 2 ** Math.min(secret.attempts, 6)),
      );
    }
  }

  async #post(secret: ChatSecret, installation: ConnectedInstallation): Promise<void> {
    const client = await this.clients.of(installation);
    const message = {
      channel: secret.channelId,
      ...secretMessage(secret.sparkId, secret.senderId, secret.expiresAt),
    };
    try {
      await postOrJoin(client, message);
      await this.secrets.posted(secret.sparkId);
    } catch (error) {
      const advice = adviceOn(platformError(error), secret.channelId);
      if (advice === undefined) throw error;
      await this.#withdraw(secret);
      const notice = textMessage(`Your secret was not sent, and has been destroyed: ${advice}`);
      await client.chat.postMessage({ channel: secret.senderId, ...notice });
    }
  }

  async #withdraw({ sparkId: spark_id, accountId }: ChatSecret): Promise<void> {
    const installation = await this.installations.findLatest(accountId, 'chatapp');
    if (!installation) throw new Error('the account has never had the chat app');
    const context = contextOf(installation, randomUUID(), Date.now() + CALL_MS, WITHDRAWAL);
    await this.bus.call(deleteSpark, { params: { spark_id } }, context);
    await this.secrets.delete(spark_id);
  }
}

/** Joins a public channel and writes once more; a private one answers that it cannot be joined (CHT-18). */
async function postOrJoin(client: WebClient, message: { channel: string; text: string }): Promise<void> {
  try {
    await client.chat.postMessage(message);
  } catch (error) {
    if (platformError(error) !== 'not_in_channel') throw error;
    const joined = await client.conversations.join({ channel: message.channel }).catch(() => undefined);
    if (!joined) throw error;
    await client.chat.postMessage(message);
  }
}
