import { describe, expect, it } from '@jest/globals';
import { setTimeout as delay } from 'node:timers/promises';
import { createServer, connect, type AddressInfo, type Socket } from 'node:net';
import { Controller, Module } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import { operation, serviceContext, Text, type Input } from '@vaultsvc/contracts';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { Handles } from './index.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const repeat = operation({
  name: 'desk.repeat',
  summary: 'Repeats a text.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
  reply: Note,
});
@Controller()
class Desk {
  @Handles(repeat)
  async repeat({ body }: Input<typeof repeat>): Promise<Note> {
    return body;
  }
}
@Module({ controllers: [Desk] })
class DeskModule {}
const desk = defineService({ name: 'desk', config: ServiceConfig, module: DeskModule });

const harness = useHarness({ LOG_LEVEL: 'silent' });

/** A line to NATS that can go dead without closing, as that of a paused machine does. */
async function breakableLine(natsUrl: string) {
  const ends: Socket[] = [];
  const server = createServer((near) => {
    const far = connect(Number(new URL(natsUrl).port), '127.0.0.1');
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('error', () => undefined);
      from.pipe(to);
    }
    ends.push(near, far);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `nats://127.0.0.1:${port}`,
    freeze: () => {
      for (const end of ends) end.unpipe().pause();
    },
    close: () => {
      for (const end of ends) end.destroy();
      server.close();
    },
  };
}

describe('ENV-30: a frozen instance', () => {
  it('loses its share of the calls within seconds, while NATS still holds its connection', async () => {
    const line = await breakableLine(harness.nats.url);
    const call = () =>
      harness.bus.call(
        repeat,
        { body: { text: 'x' } },
        serviceContext({ requestId: 'r', deadlineMs: Date.now() + 60_000 }),
      );
    const frozen = await harness.start(desk, { NATS_URL: line.url });
    const other = await harness.start(desk);
    // A caller avoids the instances that it has met: on its first call it asks all for their names.
    for (let i = 0; i < 25; i++) {
      await call();
      await delay(40);
    }

    line.freeze();
    const frozenAt = performance.now();
    const calls: Promise<number>[] = []; // when a call has failed, or 0
    const settled = (answer: Promise<unknown>) =>
      answer.then(
        () => 0,
        () => performance.now() - frozenAt,
      );
    while (performance.now() - frozenAt < 8_000) {
      calls.push(settled(call()));
      await delay(40);
    }
    const failures = (await Promise.all(calls)).filter((at) => at > 0);
    expect(failures.length).toBeGreaterThan(0);
    expect(failures.length).toBeLessThan(calls.length / 3); // else every second one
    line.close();
    await Promise.all([frozen.stop(), other.stop()]);
  });
});
