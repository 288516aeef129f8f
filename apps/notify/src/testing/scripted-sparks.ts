import { randomUUID } from 'node:crypto';
import { Controller, Module } from '@nestjs/common';
import { StatefulConfig } from '@vaultsvc/config';
import { AppError, type ContextOf, type Input } from '@vaultsvc/contracts';
import { describeMessage, messageOwed, type LinkMessage } from '@vaultsvc/contracts/sparks';
import { newId } from '@vaultsvc/crypto/encoding';
import { Handles } from '@vaultsvc/messaging';
import { serviceStorage } from '@vaultsvc/messaging/tables';
import { defineService, type RunningService } from '@vaultsvc/service';
import { publishFrom } from '@vaultsvc/testing/harness';

const described = new Map<string, LinkMessage>();

@Controller()
class DescribeMessage {
  @Handles(describeMessage)
  async handle(
    { body }: Input<typeof describeMessage>,
    _context: ContextOf<typeof describeMessage>,
  ): Promise<LinkMessage> {
    const message = described.get(body.message_id);
    if (!message) throw new AppError('LINK_NOT_FOUND');
    return message;
  }
}

@Module({ controllers: [DescribeMessage] })
class ScriptedSparksModule {}

/** A fake of sparks for message contents and timings that the real service cannot produce on demand. */
export const scriptedSparks = defineService({
  name: 'sparks',
  config: StatefulConfig,
  module: ScriptedSparksModule,
  storage: serviceStorage(),
});

/** Has sparks owe a message, and say this of it when it is asked. */
export async function owe(sparks: RunningService, message: LinkMessage): Promise<string> {
  const id = randomUUID();
  described.set(id, message);
  const { kind, channel } = message;
  await publishFrom(sparks, [messageOwed, { account_id: newId('acc_'), message_id: id, kind, channel }]);
  return id;
}

/** From now on there is nothing to say of it any more. */
export function forgetMessage(id: string): void {
  described.delete(id);
}

/** A message as sparks describes it. */
export function linkMessage(changes: Partial<LinkMessage> = {}): LinkMessage {
  const isCode = changes.kind === 'code';
  return {
    kind: 'invitation',
    channel: 'email',
    to: changes.channel === 'phone' ? randomPhone() : `${newId('ada_')}@example.com`,
    link_type: 'spark',
    asset_id: newId('spk_'),
    identity: null,
    organization_name: 'Canary Engines',
    link_url: isCode ? null : `https://links.example.com/${newId('canary_').slice(0, 29)}`,
    code: isCode ? '493817' : null,
    expires_at: Math.floor(Date.now() / 1_000) + 600,
    ...changes,
  };
}

function randomPhone(): string {
  return `+49151${String(Math.floor(Math.random() * 1e8)).padStart(8, '0')}`;
}
