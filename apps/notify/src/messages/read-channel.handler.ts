import { Controller } from '@nestjs/common';
import type { Input } from '@vaultsvc/contracts';
import { readChannel, type ChannelState } from '@vaultsvc/contracts/notify';
import { Handles } from '@vaultsvc/messaging';
import { ConfiguredChannels } from './configured-channels.js';

@Controller()
export class ReadChannel {
  constructor(private readonly channels: ConfiguredChannels) {}

  @Handles(readChannel)
  async handle({ body }: Input<typeof readChannel>): Promise<ChannelState> {
    return { is_configured: this.channels.has(body.channel) };
  }
}
