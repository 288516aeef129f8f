import { describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import { healthOperation, operation, serviceContext, Text, type Input } from '@vaultsvc/contracts';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { callKeysOf } from '@vaultsvc/testing/wire';
import { internalContext } from '@vaultsvc/testing/harness';
import { Handles } from './index.js';
import { formOf, publish, successReply } from './wire.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const echo = operation({
  name: 'desk.echo',
  summary: 'Echoes.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
  reply: Note,
});
const forget = operation({
  name: 'desk.forget',
  summary: 'Replies without a body.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
});
const again = operation({
  name: 'desk.again',
  summary: 'Echoes.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
  reply: Note,
  repeatable: true,
});

/** Opened by a test; what waits behind it is a handler under way. */
let gate: {
  readonly entered: Promise<void>;
  readonly enter: () => void;
  readonly opened: Promise<void>;
  readonly open: () => void;
};
function newGate() {
  let enter = () => {};
  let open = () => {};
  const entered = new Promise<void>((resolve) => (enter = resolve));
  const opened = new Promise<void>((resolve) => (open = resolve));
  gate = { entered, enter, opened, open };
}
let handled: string[] = [];

@Controller()
class Desk {
  @Handles(echo)
  async echo({ body }: Input<typeof echo>): Promise<Note> {
    handled.push(body.text);
    if (body.text !== 'wait') return body;
    gate.enter();
    await gate.opened;
    return body;
  }

  @Handles(forget)
  async forget({ body }: Input<typeof forget>): Promise<void> {
    handled.push(body.text);
  }

  @Handles(again)
  async again({ body }: Input<typeof again>): Promise<Note> {
    return body;
  }
}
@Module({ controllers: [Desk] })
class DeskModule {}
/** It owns no schema: a service need not. */
const desk = defineService({ name: 'desk', config: ServiceConfig, module: DeskModule });

const harness = useHarness({ LOG_LEVEL: 'silent' });

const call = (text: string, deadlineMs?: number) =>
  harness.bus.call(echo, { body: { text } }, serviceContext({ requestId: 'test', deadlineMs }));

describe('A call', () => {
  it('is dropped if it arrives after its deadline', async () => {
    const service = await harness.start(desk);
    handled = [];
    await expect(call('late', Date.now() - 1)).rejects.toMatchObject({
      cause: { kind: 'slow', service: 'desk' },
    });
    await call('after it');
    expect(handled).toEqual(['after it']);
    await service.stop();
  });

  it('fails at its deadline while the handler is still running', async () => {
    const service = await harness.start(desk);
    newGate();
    await expect(call('wait', Date.now() + 200)).rejects.toMatchObject({
      code: 'INTERNAL_ERROR',
      cause: { kind: 'slow' },
    });
    gate.open();
    await service.stop();
  });

  it('resolves to undefined for an operation without a reply', async () => {
    const service = await harness.start(desk);
    expect(await harness.bus.call(forget, { body: { text: 'x' } }, internalContext())).toBeUndefined();
    await service.stop();
  });

  it('is sent again when no instance was there, if the operation is repeatable; otherwise it fails at once', async () => {
    const mac = callKeysOf('gateway').between('gateway', 'desk');
    const late = (op: typeof again | typeof echo) => {
      const answer = harness.bus.call(op, { body: { text: 'patience' } }, internalContext());
      // Goes out on the same connection after the call, so the call has met nobody.
      const subscription = harness.connection.subscribe(op.subject, {
        callback: (_, message) => {
          const writer = { form: formOf(message), mac, replyTo: message.reply ?? '' };
          publish(harness.connection, successReply(writer, message.data));
        },
      });
      return { answer, subscription };
    };
    const repeated = late(again);
    expect(await repeated.answer).toEqual({ text: 'patience' });
    const single = late(echo);
    await expect(single.answer).rejects.toMatchObject({ cause: { kind: 'absent' } });
    repeated.subscription.unsubscribe();
    single.subscription.unsubscribe();
  });
});

describe('MISC-01: instances of a service', () => {
  it('share the calls, and each call gets one reply', async () => {
    const copies = await Promise.all([harness.start(desk), harness.start(desk)]);
    handled = [];
    const texts = Array.from({ length: 200 }, (_, i) => `call ${i}`);
    const replies = await Promise.all(texts.map((text) => call(text)));
    expect(replies.map(({ text }) => text)).toEqual(texts);
    expect([...handled].sort()).toEqual([...texts].sort());
    await Promise.all(copies.map((copy) => copy.stop()));
  });

  it('finish running calls and accept no new ones when they stop', async () => {
    const leaving = await harness.start(desk);
    newGate();
    const waiting = call('wait');
    await gate.entered;
    let stopped = false;
    const stopping = leaving.stop().then(() => (stopped = true));
    const other = await harness.start(desk);
    expect(await call('for the other copy')).toEqual({ text: 'for the other copy' });
    expect(stopped).toBe(false);
    gate.open();
    expect(await waiting).toEqual({ text: 'wait' });
    await stopping;
    await other.stop();
    await expect(call('nobody')).rejects.toMatchObject({ cause: { kind: 'absent' } });
  });
});

describe('ENV-30: a kill of NATS', () => {
  it('fails calls until NATS is back, and then the service replies again', async () => {
    const service = await harness.start(desk);
    await call('before');
    await harness.nats.kill('SIGKILL');
    await expect(call('during', Date.now() + 300)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await harness.nats.restart();
    for (let i = 0; ; i++) {
      const answer = await call('after', Date.now() + 500).catch(() => undefined);
      if (answer) break;
      if (i === 40) throw new Error('the service did not answer again');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    expect(await harness.bus.call(healthOperation('desk'), {}, internalContext())).toMatchObject({
      status: 'ok',
    });
    await service.stop();
  });

  it('loses no reply in flight: replies are resent after the reconnect', async () => {
    const service = await harness.start(desk);
    newGate();
    const answer = call('wait', Date.now() + 60_000); // long enough for a server to start
    await gate.entered;
    harness.nats.pause(); // what is sent from here on lies in a socket that nobody will read
    gate.open();
    await new Promise((resolve) => setTimeout(resolve, 100)); // nothing tells when a socket has been written to
    await harness.nats.kill('SIGKILL');
    await harness.nats.restart();
    expect(await answer).toEqual({ text: 'wait' });
    await service.stop();
  });
});
