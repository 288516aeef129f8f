import { describe, expect, it } from '@jest/globals';
import { Controller, Module, type Provider } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import { AppError, Flag, operation, type Input, type StripeContext } from '@vaultsvc/contracts';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { internalContext } from '@vaultsvc/testing/harness';
import { Handles, ProviderGuard, type AdmittedRequest, type ProviderRequest } from './index.js';

class Received {
  @Flag() received: boolean;
}
const receive = operation({
  name: 'desk.receive',
  summary: 'Receives an event.',
  http: { method: 'POST', path: '/v1/desk', status: 200 },
  access: { provider: 'stripe' },
  reply: Received,
});

const handled: string[] = [];

@Controller()
class Desk {
  @Handles(receive)
  async receive(_: Input<typeof receive>, { event }: StripeContext): Promise<Received> {
    handled.push(event.type);
    return { received: true };
  }
}

class DeskGuard extends ProviderGuard {
  override readonly providers = ['stripe'] as const;

  override async admit({ raw, context }: ProviderRequest): Promise<AdmittedRequest> {
    if (context.signedRequest.headers['stripe-signature'] !== 'right')
      throw new AppError('AUTHENTICATION_ERROR');
    const event = { id: 'evt_1', type: raw.toString(), created: 1, data: { object: {} } };
    const admitted: StripeContext = { ...context, event };
    return { context: admitted };
  }
}
class OtherGuard extends DeskGuard {}

/** A service with these guards. */
function deskWith(...providers: Provider[]) {
  @Module({ controllers: [Desk], providers })
  class DeskModule {}
  return defineService({ name: 'desk', config: ServiceConfig, module: DeskModule });
}

const harness = useHarness({ LOG_LEVEL: 'silent' });
const send = (signature: string) =>
  harness.bus.forward(receive, {}, Buffer.from('charge'), {
    ...internalContext('req_1'),
    signedRequest: { target: '/v1/desk', headers: { 'stripe-signature': signature } },
  });

describe('OPEN-38: a service with operations of a provider', () => {
  it('does not start without a guard of the provider, or with two', async () => {
    await expect(harness.start(deskWith())).rejects.toThrow('desk.receive needs one ProviderGuard of stripe');
    await expect(harness.start(deskWith(DeskGuard, OtherGuard))).rejects.toThrow('several');
  });

  it('runs a handler for what its guard admits alone', async () => {
    await harness.start(deskWith(DeskGuard));
    await expect(send('wrong')).rejects.toMatchObject({ reason: 'AUTHENTICATION_ERROR' });
    expect(handled).toEqual([]);
    await send('right');
    expect(handled).toEqual(['charge']);
  });
});
