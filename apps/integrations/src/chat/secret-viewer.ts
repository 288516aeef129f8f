import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { WebClient } from '@slack/web-api';
import type { ModalView } from '@slack/types';
import { AppError } from '@vaultsvc/contracts';
import { readSpark } from '@vaultsvc/contracts/sparks';
import { Bus } from '@vaultsvc/messaging';
import { appActorOf } from '../installations/app-actor.js';
import { contextOf } from '../installations/installation-context.js';
import {
  InstallationRepository,
  type ConnectedInstallation,
} from '../installations/installation.repository.js';
import { hasTokenEnded } from '../providers/chat-oauth.js';
import { ChatClients } from './chat-clients.js';
import type { ViewRequest } from './chat-interaction.js';
import { ChatSecretRepository } from './chat-secret.repository.js';
import { ChatUsageRepository } from './chat-usage.repository.js';
import { burnedMessage, SHOWN_CHARACTERS_MAX, textModal } from './chat-views.js';

const READ_MS = 5_000;
/** Attempts to show a secret that is burned already. */
const SHOW_ATTEMPTS = 4;
const SHOW_RETRY_MS = 500;

const messages: Readonly<Record<string, string>> = {
  SPARK_BURNED: 'This secret has already been viewed, and is destroyed.',
  SPARK_READ_IN_FLIGHT: 'Somebody else is viewing this secret at this moment.',
  SPARK_EXPIRED: 'This secret has expired.',
  SPARK_NOT_FOUND: 'This secret has expired or has already been viewed.',
};
const UNREADABLE = 'This secret cannot be viewed any more.';
const TOO_LONG =
  'This secret has more than 3,000 characters and cannot be shown here. It was not destroyed; it expires by itself. Ask the sender for a link instead.';

/**
 * Shows a secret to the one who confirmed View & Destroy. A modal is opened first: where nothing can be shown, nothing is
 * burned. Of several people sparks decides who sees it (CHT-22).
 */
@Injectable()
export class SecretViewer {
  constructor(
    private readonly clients: ChatClients,
    private readonly secrets: ChatSecretRepository,
    private readonly installations: InstallationRepository,
    private readonly usage: ChatUsageRepository,
    private readonly bus: Bus,
  ) {}

  /**
   * The request of somebody from a workspace that is not connected: in a shared channel it may be about a secret that was sent there
   * from a workspace that is. undefined: there is no such secret in this conversation.
   */
  async placeOf(
    request: ViewRequest,
  ): Promise<(ViewRequest & { readonly installation: ConnectedInstallation }) | undefined> {
    const secret = await this.secrets.find(request.sparkId);
    if (secret?.channelId !== request.channelId) return undefined;
    const installation = await this.installations.findConnected('chatapp', secret.teamId);
    return installation && { ...request, teamId: secret.teamId, installation };
  }

  async view(request: ViewRequest, installation: ConnectedInstallation, requestId: string): Promise<void> {
    const client = await this.clients.of(installation);
    const opened = await client.views.open({
      trigger_id: request.triggerId,
      view: textModal('Secret', 'Loading …'),
    });
    const viewId = opened.view?.id ?? '';
    const refusal = await this.#refusalOf(request, installation);
    if (refusal !== undefined) return void (await show(client, viewId, textModal('Secret', refusal)));
    const content = await this.#burn(request, installation, requestId);
    if ('refusal' in content) return void (await show(client, viewId, textModal('Secret', content.refusal)));
    await show(client, viewId, textModal('Secret', content.text));
    await client.chat.update({
      channel: request.channelId,
      ts: request.messageTs,
      ...burnedMessage(request.person.id),
    });
    await this.secrets.delete(request.sparkId);
    await this.usage.countRead(installation.accountId, request.person);
  }

  /** What can be known without a burn. The installation may have ended since its modal was opened (CHT-25). */
  async #refusalOf(
    { sparkId, teamId }: ViewRequest,
    { accountId, generation }: ConnectedInstallation,
  ): Promise<string | undefined> {
    const secret = await this.secrets.find(sparkId);
    if (!secret) return messages['SPARK_NOT_FOUND'];
    const isOfInstallation =
      secret.accountId === accountId && secret.generation === generation && secret.teamId === teamId;
    if (!isOfInstallation || !secret.isCurrent) return UNREADABLE;
    return secret.characters > SHOWN_CHARACTERS_MAX ? TOO_LONG : undefined;
  }

  async #burn(
    { sparkId: spark_id, person }: ViewRequest,
    installation: ConnectedInstallation,
    requestId: string,
  ): Promise<{ text: string } | { refusal: string }> {
    const viewer = appActorOf(installation, person.id);
    const context = contextOf(installation, requestId, Date.now() + READ_MS, viewer);
    try {
      return { text: (await this.bus.call(readSpark, { params: { spark_id } }, context)).payload };
    } catch (error) {
      const known = error instanceof AppError ? messages[error.reason] : undefined;
      return { refusal: known ?? 'The secret could not be read. Try again in a minute.' };
    }
  }
}

/** Tries several times: after a burn nobody else has the secret. */
async function show(client: WebClient, view_id: string, view: ModalView): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      await client.views.update({ view_id, view });
      return;
    } catch (error) {
      if (attempt >= SHOW_ATTEMPTS || hasTokenEnded(error)) throw error;
      await delay(SHOW_RETRY_MS * attempt);
    }
  }
}
