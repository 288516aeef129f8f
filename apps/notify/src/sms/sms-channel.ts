import { Injectable } from '@nestjs/common';
import { NotifyConfig } from '../config.js';
import { LinkMessages } from '../link/link-messages.js';
import { obsolete, sent, type DeliveryResult } from '../deliveries/delivery-result.js';
import type { Channel } from '../messages/channel.js';
import type { ClaimedMessage } from '../messages/message.repository.js';
import { TwilioSms } from './twilio-sms.js';
import type { LinkMessage } from '@vaultsvc/contracts/sparks';
import { headlineOf, minutesLeft, nounOf, required } from '../link/link-wording.js';
import { shortName, shortTime } from './short-text.js';

/** Composes messages and sends them to phones. All of them are about links. */
@Injectable()
export class SmsChannel implements Channel {
  readonly name = 'phone';
  readonly concurrency = 5;

  constructor(
    private readonly config: NotifyConfig,
    private readonly links: LinkMessages,
    private readonly sms: TwilioSms,
  ) {}

  missingSettings(): string[] {
    const given = { SMS_URL: this.config.SMS_URL.reveal(), SMS_FROM: this.config.SMS_FROM };
    return Object.entries(given).flatMap(([name, value]) => (value === '' ? [name] : []));
  }

  async deliver(message: ClaimedMessage): Promise<DeliveryResult> {
    const link = await this.links.describe(message);
    if (!link) return obsolete;
    await this.sms.send({ to: link.to, text: linkText(link, new Date()), expiresAt: link.expires_at });
    return sent;
  }
}

/** The rest and a link of about 50 characters then fit into one segment of 160 characters. */
const NAME_CHARACTERS_MAX = 40;

/**
 * The text message about a link: one segment of GSM 7-bit (3GPP TS 23.038), unless the organization's name or the link's
 * domain is long or needs other letters.
 */
export function linkText(message: LinkMessage, now: Date): string {
  return texts[message.kind](message, now);
}

const texts: Readonly<Record<LinkMessage['kind'], (message: LinkMessage, now: Date) => string>> = {
  invitation: withLink,
  delivery: withLink,
  lockout: () => {
    throw new Error('lockouts are reported by mail');
  },
  code: (message, now) =>
    `${required(message.code)} is your code to open a ${nounOf(message)}. It is valid for ${minutesLeft(message, now)}. Share it with nobody: we will never ask you for it.`,
};

function withLink(message: LinkMessage): string {
  const headline = headlineOf(message, shortName(message.organization_name, NAME_CHARACTERS_MAX)).text;
  return `${headline}${limits(message)}: ${required(message.link_url)}`;
}

/** Links without an expiry open any number of times. */
function limits({ expires_at: expiresAt }: LinkMessage): string {
  return expiresAt === null ? '' : `. Opens once, until ${shortTime(expiresAt)}`;
}
