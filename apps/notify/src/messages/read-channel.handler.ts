import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { readChannel, type ChannelState } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { EmailChannel } from '../email/email-channel.js';
import { SmsChannel } from '../sms/sms-channel.js';

@Controller()
export class ReadChannel {
  constructor(
    private readonly email: EmailChannel,
    private readonly sms: SmsChannel,
  ) {}

  @Handles(readChannel)
  async handle({ body }: Input<typeof readChannel>): Promise<ChannelState> {
    const channel = body.channel === 'email' ? this.email : this.sms;
    return { is_configured: channel.missingSettings().length === 0 };
  }
}
