import { beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import type { NatsConnection } from '@nats-io/transport-node';
import { ServiceConfig } from '@vaultsvc/config';
import { operation, Text, type Input } from '@vaultsvc/contracts';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { internalContext } from '@vaultsvc/testing/harness';
import { Handles, NATS } from './index.js';
import { runningSubject } from './service-instances.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const wait = operation({
  name: 'desk.wait',
  summary: 'Replies once the test lets it.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
  reply: Note,
});

let open = () => {};
let opened = Promise.resolve();
let enter = () => {};
let entered = Promise.resolve();
beforeEach(() => {
  opened = new Promise((resolve) => (open = resolve));
  entered = new Promise((resolve) => (enter = resolve));
});

@Controller()
class Desk {
  @Handles(wait)
  async wait({ body }: Input<typeof wait>): Promise<Note> {
    enter();
    await opened;
    return body;
  }
}
@Module({ controllers: [Desk] })
class DeskModule {}
const desk = defineService({ name: 'desk', config: ServiceConfig, module: DeskModule });

const harness = useHarness({ LOG_LEVEL: 'silent' });
/** Far longer than it takes to find a lost call. */
const call = () => harness.bus.call(wait, { body: { text: 'x' } }, internalContext());

async function untilAsked(times: number): Promise<void> {
  for await (const _ of harness.connection.subscribe(runningSubject('desk'), { max: times }));
}

describe('ENV-30: a call', () => {
  it('whose instance loses its connection fails before its deadline, although another instance is there', async () => {
    const dying = await harness.start(desk);
    const answer = call().catch((error: unknown) => error);
    await entered;
    const other = await harness.start(desk);
    await dying.context.get<NatsConnection>(NATS).close();
    expect(await answer).toMatchObject({ code: 'INTERNAL_ERROR', cause: { kind: 'lost', service: 'desk' } });
    open();
    await Promise.all([dying.stop(), other.stop()]);
  });

  it('whose instance has ended fails at once when all others say that they are not running it', async () => {
    const dying = await harness.start(desk);
    const answer = call().catch((error: unknown) => error);
    await entered;
    const other = await harness.start(desk);
    let questions = 0;
    const asked = harness.connection.subscribe(runningSubject('desk'), { callback: () => void questions++ });
    await dying.context.get<NatsConnection>(NATS).close();
    expect(await answer).toMatchObject({ cause: { kind: 'lost' } });
    asked.unsubscribe();
    expect(questions).toBeLessThan(14); // after as many an instance that is silent counts as dead
    open();
    await Promise.all([dying.stop(), other.stop()]);
  });

  it('that a living instance is running is not given up, however long it takes', async () => {
    const service = await harness.start(desk);
    const asked = untilAsked(10);
    const answer = call();
    await asked;
    open();
    expect(await answer).toEqual({ text: 'x' });
    await service.stop();
  });

  it('is not given up while its instance stops and finishes what it is running', async () => {
    const service = await harness.start(desk);
    const answer = call();
    await entered;
    const asked = untilAsked(10);
    const stopped = service.stop();
    await asked;
    open();
    expect(await answer).toEqual({ text: 'x' });
    await stopped;
  });
});
