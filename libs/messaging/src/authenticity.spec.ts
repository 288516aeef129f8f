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
import { frameForm } from './frame-form.js';
import { headersForm } from './headers-form.js';
import { callOf, errorReply, publish, successReply, type Publication } from './wire.js';
import type { WireForm } from './wire-form.js';

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

/** Each test holds for the form of each release. */
const forms: [string, WireForm][] = [
  ['of 0.1', headersForm],
  ['of 0.2', frameForm],
];

const buses = new Map<WireForm, Bus>();
function busOf(form: WireForm): Bus {
  const bus = buses.get(form) ?? new Bus(harness.connection, callKeysOf('gateway'), form);
  buses.set(form, bus);
  return bus;
}

const call = (text: string, form: WireForm) => busOf(form).call(keep, { body: { text } }, internalContext());
const bytesOf = (text: string) => Buffer.from(JSON.stringify({ text }));

/** The first message on a subject, as somebody sees it who may subscribe to everything. */
function overhear(subject: string): { readonly message: Promise<Msg>; readonly subscription: Subscription } {
  let subscription!: Subscription;
  const message = new Promise<Msg>((resolve) => {
    subscription = harness.connection.subscribe(subject, { callback: (_, first) => resolve(first) });
  });
  return { message, subscription };
}

async function overheardCall(text: string, form: WireForm): Promise<Msg> {
  const { message, subscription } = overhear(keep.subject);
  await call(text, form);
  subscription.unsubscribe();
  return message;
}

/** A call of the gateway that an intruder keeps from arriving, so that the service has not seen it. */
function intercepted(form: WireForm, text = 'original', context = internalContext()): Required<Publication> {
  const reply = `_INBOX.gateway.process.${randomUUID()}`;
  return signedCall(form, reply, text, context) as Required<Publication>;
}

function signedCall(form: WireForm, reply: string, text: string, context = internalContext()): Publication {
  const mac = callKeysOf('gateway').between('gateway', 'desk');
  const encoded = form.encodeCall(mac, callOf(keep, reply, {}, context, bytesOf(text)));
  return { subject: keep.subject, reply, ...encoded };
}

/** Resolves once the service has handled a call that was sent after the hostile ones. */
async function untilBehind(): Promise<void> {
  await call('behind', frameForm);
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

describe.each(forms)('OPEN-51: a call in the form %s that an intruder sends again', (_, form) => {
  it('has no second effect and gets no second reply', async () => {
    const seen = await overheardCall('once', form);
    const before = await refusals('replay');
    const replies: Msg[] = [];
    const inbox = harness.connection.subscribe(seen.reply ?? '', {
      callback: (_, message) => void replies.push(message),
    });
    harness.connection.publish(seen.subject, seen.data, {
      reply: seen.reply,
      ...(seen.headers && { headers: seen.headers }),
    });
    await untilBehind();
    inbox.unsubscribe();
    expect(handled).toEqual(['once']);
    expect(replies).toEqual([]);
    expect(await refusals('replay')).toBe(before + 1);
  });
});

describe.each(forms)('OPEN-51: a call in the form %s that an intruder keeps from arriving', (_, form) => {
  it('is genuine until it is changed', async () => {
    publish(harness.connection, intercepted(form));
    await untilBehind();
    expect(handled).toEqual(['original']);
  });

  it.each<[string, (seen: Publication) => Publication]>([
    ['another body', (seen) => ({ ...seen, data: otherBody(seen.data) })],
    ["the intruder's inbox", (seen) => ({ ...seen, reply: '_INBOX.gateway.intruder.1' })],
    ['an inbox of no caller', (seen) => ({ ...seen, reply: 'intruder' })],
    ['the inbox of another service', (seen) => ({ ...seen, reply: '_INBOX.shop.intruder.1' })],
    ['no inbox', ({ reply: _reply, ...seen }) => seen],
    ['another operation', (seen) => ({ ...seen, subject: tear.subject })],
  ])('is refused with %s', async (_, change) => {
    const changed = change(intercepted(form));
    const replies: Msg[] = [];
    const subscription = harness.connection.subscribe(changed.reply ?? 'none', {
      callback: (_, message) => void replies.push(message),
    });
    publish(harness.connection, changed);
    await untilBehind();
    subscription.unsubscribe();
    expect(handled).toEqual([]);
    expect(replies).toEqual([]);
  });
});

/** The text of the body is the last word of both forms. */
function otherBody(data: Uint8Array): Buffer {
  const text = Buffer.from(data).toString('latin1');
  expect(text).toContain('original');
  return Buffer.from(text.replace('original', 'swapped!'), 'latin1');
}

describe('OPEN-51: a call in the form of 0.1 that an intruder keeps from arriving', () => {
  it.each(['Vk-Context', 'Vk-Input', 'Vk-Mac'])('is refused without or with another %s', async (name) => {
    for (const value of ['', '{"params":{}}']) {
      const seen = intercepted(headersForm);
      seen.headers.set(name, value);
      publish(harness.connection, seen);
    }
    await untilBehind();
    expect(handled).toEqual([]);
  });
});

describe('OPEN-51: a call in the form of 0.2 that an intruder keeps from arriving', () => {
  it('is refused with any byte changed, at any other length, and with headers', async () => {
    const { data, ...rest } = intercepted(frameForm);
    for (let index = 0; index < data.length; index += 1) {
      const flipped = Buffer.from(data);
      flipped.writeUInt8(flipped.readUInt8(index) ^ 0x80, index);
      publish(harness.connection, { ...rest, data: flipped });
      publish(harness.connection, { ...rest, data: data.subarray(0, index) });
    }
    publish(harness.connection, { ...rest, data: Buffer.concat([data, Buffer.alloc(1)]) });
    publish(harness.connection, { ...rest, data, headers: intercepted(headersForm).headers });
    await untilBehind();
    expect(handled).toEqual([]);
    publish(harness.connection, { ...rest, data });
    await untilBehind();
    expect(handled).toEqual(['original']);
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

  it.each(forms)('is refused with a call %s whose deadline is beyond what is remembered', async (_, form) => {
    const context = serviceContext({ requestId: 'test', deadlineMs: Date.now() + 3_600_000 });
    publish(harness.connection, signedCall(form, '_INBOX.gateway.process.far', 'far', context));
    await untilBehind();
    expect(handled).toEqual([]);
  });
});

describe.each(forms)('OPEN-51: a reply %s of an intruder that comes before the true one', (_, form) => {
  const mac = callKeysOf('shop').between('shop', 'desk');
  const forgeries = (replyTo: string) => [
    successReply({ form, mac, replyTo }, bytesOf('forged')),
    errorReply({ form, mac, replyTo }, new AppError('SPARK_NOT_FOUND')),
  ];

  it('is ignored: the caller gets the true one', async () => {
    const before = await refusals('mac');
    const intruder = harness.connection.subscribe(keep.subject, {
      callback: (_, message) => {
        message.respond(bytesOf('forged'));
        for (const reply of forgeries(message.reply ?? '')) publish(harness.connection, reply);
      },
    });
    // A forged reply is sometimes the later one, which nobody waits for any more.
    await eventually(
      async () => {
        const texts = Array.from({ length: 20 }, (_, i) => `true ${i}`);
        expect(await Promise.all(texts.map((text) => call(text, form)))).toEqual(
          texts.map((text) => ({ text: `kept ${text}` })),
        );
        return refusals('mac');
      },
      (count) => count > before,
    );
    intruder.unsubscribe();
  });

  it('is ignored if it is the true reply to another call', async () => {
    const first = overhear('_INBOX.gateway.>');
    await call('first', form);
    const earlier = await first.message;
    first.subscription.unsubscribe();
    const intruder = harness.connection.subscribe(keep.subject, {
      callback: (_, message) =>
        void message.respond(earlier.data, earlier.headers && { headers: earlier.headers }),
    });
    expect(await call('second', form)).toEqual({ text: 'kept second' });
    intruder.unsubscribe();
  });

  it('is ignored with any byte of its payload changed', async () => {
    const before = await refusals('mac');
    const intruder = harness.connection.subscribe(keep.subject, {
      callback: (_, { reply: replyTo = '' }) => {
        const own = callKeysOf('gateway').between('gateway', 'desk');
        const { data, headers } = successReply({ form, mac: own, replyTo }, bytesOf('forged'));
        for (let index = 0; index < data.length; index += 1) {
          const flipped = Buffer.from(data);
          flipped.writeUInt8(flipped.readUInt8(index) ^ 0x80, index);
          publish(harness.connection, { subject: replyTo, data: flipped, ...(headers && { headers }) });
        }
      },
    });
    // As above: the true reply sometimes comes first.
    await eventually(
      async () => {
        expect(await call('third', form)).toEqual({ text: 'kept third' });
        return refusals('mac');
      },
      (count) => count > before,
    );
    intruder.unsubscribe();
  });
});
