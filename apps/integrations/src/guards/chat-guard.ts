import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Busy, parseObject, textAt, validationError, type ChatContext } from '@vaultsvc/contracts';
import {
  ProviderGuard,
  type AdmittedRequest,
  type Answered,
  type ProviderDelivery,
  type ProviderRequest,
} from '@vaultsvc/messaging';
import { IntegrationsConfig } from '../config.js';
import { InstallationRepository } from '../installations/installation.repository.js';
import { AccountCalls } from './account-calls.js';
import { verifyChatSignature } from './chat-signature.js';
import { DeliveryRepository } from './delivery.repository.js';
import { assertNotRepeated, singleValue, queryOf } from './identifying-parameters.js';

/** Names that identify the workspace, the person, or the content. */
const IDENTIFYING = [
  'team_id',
  'user_id',
  'payload',
  'channel_id',
  'trigger_id',
  'enterprise_id',
  'api_app_id',
];

/** Events that may end the installation. They are not counted, so that a busy account does not miss them. */
const ENDINGS = new Set(['app_uninstalled', 'tokens_revoked']);

/** The platform waits three seconds for an answer. */
const WAIT_MS = 2_400;
const POLL_MS = 50;

type Content = Readonly<Record<string, unknown>>;

/** Verifies requests of the chat platform, and finds the installation of their workspace (CHT-12). */
@Injectable()
export class ChatGuard extends ProviderGuard {
  override readonly providers = ['chatapp'] as const;

  constructor(
    private readonly config: IntegrationsConfig,
    private readonly installations: InstallationRepository,
    private readonly calls: AccountCalls,
    private readonly deliveries: DeliveryRepository,
  ) {
    super();
  }

  override async admit(request: ProviderRequest): Promise<AdmittedRequest | Answered> {
    const { raw, context } = request;
    if (isCertificateCheck(request)) return { answer: undefined };
    const signature = verifyChatSignature(this.config.CHATAPP_SIGNING_SECRET, context.signedRequest, raw);
    const content = contentOf(request);
    const admitted = await this.#contextOf(content, context);
    if (!admitted.installation) return { context: admitted };
    const delivery = await this.#claim(textAt(content, 'event_id') || signature, context);
    return delivery === 'used' ? { answer: undefined } : { context: admitted, delivery: untilSent(delivery) };
  }

  /**
   * Waits for the same request while it is under way: an answer before it has ended could close a modal over a secret that is then not
   * sent, or acknowledge an event that is then lost. @throws Busy
   */
  async #claim(id: string, context: ProviderRequest['context']): Promise<ProviderDelivery | 'used'> {
    for (const end = Date.now() + WAIT_MS; ;) {
      const delivery = await this.deliveries.claim('chatapp', id, context);
      if (delivery !== 'running') return delivery;
      if (Date.now() > end) throw new Busy(1);
      await delay(POLL_MS);
    }
  }

  /** Counts the request on the account, or on the workspace while it is not connected. */
  async #contextOf(content: Content, context: ProviderRequest['context']): Promise<ChatContext> {
    const teamId = teamOf(content);
    if (teamId === '') return { ...context, content, teamId, installation: undefined };
    const isEnding = ENDINGS.has(textAt(content, 'event', 'type'));
    const living = await this.installations.findLiving('chatapp', teamId);
    const installation = living?.isSuspended && !isEnding ? undefined : living;
    if (!installation) await this.calls.countUnconnected('chatapp', teamId);
    else if (!isEnding) await this.calls.count(installation.accountId);
    return { ...context, content, teamId, installation };
  }
}

/** An answer that keeps a modal open had no effect: the same submission is tried again. */
function untilSent(delivery: ProviderDelivery): ProviderDelivery {
  const keepsOpen = (reply: unknown) => textAt(reply, 'response_action') === 'errors';
  return { ...delivery, finish: (reply) => (keepsOpen(reply) ? delivery.release() : delivery.finish()) };
}

/** The platform checks certificates without a signature; every other field of such a request is ignored. */
function isCertificateCheck({ op, raw }: ProviderRequest): boolean {
  return kindOf(op) === 'form' && new URLSearchParams(raw.toString('utf8')).get('ssl_check') === '1';
}

/** The body alone is signed, so nothing that identifies may be in the query. @throws VALIDATION_ERROR */
function contentOf({ op, raw, context }: ProviderRequest): Content {
  const query = queryOf(context.signedRequest.target);
  const stray = IDENTIFYING.find((name) => query.has(name));
  if (stray !== undefined) throw validationError({ field: stray, message: `${stray} must be in the body` });
  const text = raw.toString('utf8');
  if (kindOf(op) === 'json') return parseObject(text);
  const form = new URLSearchParams(text);
  assertNotRepeated(form, IDENTIFYING);
  return kindOf(op) === 'form' ? Object.fromEntries(form) : parseObject(singleValue(form, 'payload'));
}

function kindOf({ access }: ProviderRequest['op']): 'form' | 'payload' | 'json' {
  if (access.provider !== 'chatapp') throw new Error('not an operation of the chat platform');
  return access.content;
}

/**
 * The workspace with the installation. In a shared channel `team` is the workspace of the person, which may be another one
 * (bolt-js#1614).
 */
function teamOf(content: Content): string {
  if (content['type'] === 'url_verification') return ''; // it has no effect, and may be repeated
  return (
    textAt(content, 'view', 'app_installed_team_id') ||
    textAt(content, 'team_id') ||
    textAt(content, 'team', 'id')
  );
}
