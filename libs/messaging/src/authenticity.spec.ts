import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import type { Msg, Subscription } from '@nats-io/transport-node';
import { ServiceConfig } from '@vaultsvc/config';
import { AppError, operation, serviceContext, Text, type Input } from '@vaultsvc/contracts';
import { defineService, type RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { eventually } from '@vaultsvc/testing/waiting';
import { callKeysOf } from '@vaultsvc/testing/wire';
import { internalContext } from '@vaultsvc/testing/harness';
import { register } from 'prom-client';
import { Bus, Handles } from './index.js';
import { callHeaders, errorReply, publishReply, successReply } from './wire.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const note = { access: 'internal', callers: ['gateway'], body: Note, reply: Note } as const;
const keep = operation({ name: 'desk.keep', summary: 'Keeps a note.', ...note });
const tear = operation({ name: 'desk.tear', summary: 'Tears a note.', ...note });

let handled: string[] = [];

@Controller()
class Desk {
  @Handles(keep)
  async keep({ body }: Input<typeof keep>): Promise<Note> {
    handled.push(body.text);
    return { text: `kept ${body.text}` };
  }

  @Handles(tear)
  async tear({ body }: Input<typeof tear>): Promise<Note> {
    handled.push(`torn ${body.text}`);
    return body;
  }
}
@Module({ controllers: [Desk] })
class DeskModule {}
const desk = defineService({ name: 'desk', config: ServiceConfig, module: DeskModule });

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
beforeAll(async () => void (service = await harness.start(desk)));
beforeEach(() => void (handled = []));
afterAll(() => service.stop());

const call = (text: string) => harness.bus.call(keep, { body: { text } }, internalContext());
const bytesOf = (text: string) => Buffer.from(JSON.stringify({ text }));

/** The first message on a subject, as somebody sees it who may subscribe to everything. */
function overhear(subject: string): { readonly message: Promise<Msg>; readonly subscription: Subscription } {
  let subscription!: Subscription;
  const message = new Promise<Msg>((resolve) => {
    subscription = harness.connection.subscribe(subject, { callback: (_, first) => resolve(first) });
  });
  return { message, subscription };
}

async function overheardCall(text: string): Promise<Msg> {
  const { message, subscription } = overhear(keep.subject);
  await call(text);
  subscription.unsubscribe();
  return message;
}

/** A call of the gateway that an intruder keeps from arriving, so that the service has not seen it. */
function intercepted(): Required<Pick<Msg, 'subject' | 'data' | 'reply' | 'headers'>> {
  const mac = callKeysOf('gateway').between('gateway', 'desk');
  const [reply, data] = [`_INBOX.gateway.process.${randomUUID()}`, bytesOf('original')];
  const call = {
    op: keep,
    replyTo: reply,
    input: {},
    context: internalContext(),
    body: data,
  };
  return { subject: keep.subject, data, reply, headers: callHeaders(mac, call) };
}

/** Resolves once the service has handled a call that was sent after the hostile ones. */
async function untilBehind(): Promise<void> {
  await call('behind');
  handled = handled.filter((text) => text !== 'behind');
}

async function refusals(reason: string): Promise<number> {
  const { values } = (await register.getSingleMetric('vaultsvc_messages_refused_total')?.get()) ?? {
    values: [],
  };
  return values
    .filter(({ labels }) => labels['reason'] === reason)
    .reduce((sum, { value }) => sum + value, 0);
}

describe('OPEN-51: a call that an intruder sends again', () => {
  it('has no second effect and gets no second reply', async () => {
    const seen = await overheardCall('once');
    const before = await refusals('replay');
    const replies: Msg[] = [];
    const inbox = harness.connection.subscribe(seen.reply ?? '', {
      callback: (_, message) => void replies.push(message),
    });
    harness.connection.publish(seen.subject, seen.data, { reply: seen.reply, headers: seen.headers });
    await untilBehind();
    inbox.unsubscribe();
    expect(handled).toEqual(['once']);
    expect(replies).toEqual([]);
    expect(await refusals('replay')).toBe(before + 1);
  });
});

describe('OPEN-51: a call that an intruder keeps from arriving', () => {
  it('is genuine until it is changed', async () => {
    const { subject, data, reply, headers } = intercepted();
    harness.connection.publish(subject, data, { reply, headers });
    await untilBehind();
    expect(handled).toEqual(['original']);
  });

  it.each<
    [
      string,
      (seen: ReturnType<typeof intercepted>) => {
        subject: string;
        data: Uint8Array;
        reply: string | undefined;
      },
    ]
  >([
    ['another body', ({ subject, reply }) => ({ subject, reply, data: bytesOf('swapped') })],
    ["the intruder's inbox", ({ subject, data }) => ({ subject, data, reply: '_INBOX.gateway.intruder.1' })],
    ['an inbox of no caller', ({ subject, data }) => ({ subject, data, reply: 'intruder' })],
    [
      'the inbox of another service',
      ({ subject, data }) => ({ subject, data, reply: '_INBOX.shop.intruder.1' }),
    ],
    ['no inbox', ({ subject, data }) => ({ subject, data, reply: undefined })],
    ['another operation', ({ data, reply }) => ({ subject: tear.subject, data, reply })],
  ])('is refused with %s', async (_, change) => {
    const seen = intercepted();
    const { subject, data, reply } = change(seen);
    const replies: Msg[] = [];
    const subscription = harness.connection.subscribe(reply ?? 'none', {
      callback: (_, message) => void replies.push(message),
    });
    harness.connection.publish(subject, data, { ...(reply && { reply }), headers: seen.headers });
    await untilBehind();
    subscription.unsubscribe();
    expect(handled).toEqual([]);
    expect(replies).toEqual([]);
  });

  it.each(['Vk-Context', 'Vk-Input', 'Vk-Mac'])('is refused without or with another %s', async (name) => {
    for (const value of ['', '{"params":{}}']) {
      const { subject, data, reply, headers } = intercepted();
      headers.set(name, value);
      harness.connection.publish(subject, data, { reply, headers });
    }
    await untilBehind();
    expect(handled).toEqual([]);
  });
});

describe('OPEN-51: a service that the contract does not name as a caller', () => {
  it('is refused, although it has a key for calls to the service', async () => {
    const before = await refusals('caller');
    const shop = new Bus(harness.connection, callKeysOf('shop'));
    const context = serviceContext({ requestId: 'test', deadlineMs: Date.now() + 200 });
    await expect(shop.call(keep, { body: { text: 'mine' } }, context)).rejects.toMatchObject({
      cause: { kind: 'slow' },
    });
    await untilBehind();
    expect(handled).toEqual([]);
    expect(await refusals('caller')).toBe(before + 1);
  });

  it('is refused with a call whose deadline is further away than calls are remembered', async () => {
    const context = serviceContext({ requestId: 'test', deadlineMs: Date.now() + 3_600_000 });
    const reply = '_INBOX.gateway.process.far';
    const body = bytesOf('far');
    const mac = callKeysOf('gateway').between('gateway', 'desk');
    const headers = callHeaders(mac, { op: keep, replyTo: reply, input: {}, context, body });
    harness.connection.publish(keep.subject, body, { reply, headers });
    await untilBehind();
    expect(handled).toEqual([]);
  });
});

describe('OPEN-51: a reply of an intruder that comes before the true one', () => {
  const mac = callKeysOf('shop').between('shop', 'desk');
  const forgeries = (replyTo: string) => [
    successReply(mac, replyTo, bytesOf('forged')),
    errorReply(mac, replyTo, new AppError('SPARK_NOT_FOUND')),
  ];

  it('is ignored: the caller gets the true one', async () => {
    const before = await refusals('mac');
    const intruder = harness.connection.subscribe(keep.subject, {
      callback: (_, message) => {
        message.respond(bytesOf('forged'));
        for (const reply of forgeries(message.reply ?? '')) publishReply(harness.connection, reply);
      },
    });
    // A forged reply is sometimes the later one, which nobody waits for any more.
    await eventually(
      async () => {
        const texts = Array.from({ length: 20 }, (_, i) => `true ${i}`);
        expect(await Promise.all(texts.map(call))).toEqual(texts.map((text) => ({ text: `kept ${text}` })));
        return refusals('mac');
      },
      (count) => count > before,
    );
    intruder.unsubscribe();
  });

  it('is ignored if it is the true reply to another call', async () => {
    const first = overhear('_INBOX.gateway.>');
    await call('first');
    const earlier = await first.message;
    first.subscription.unsubscribe();
    const intruder = harness.connection.subscribe(keep.subject, {
      callback: (_, message) => void message.respond(earlier.data, { headers: earlier.headers }),
    });
    expect(await call('second')).toEqual({ text: 'kept second' });
    intruder.unsubscribe();
  });
});
