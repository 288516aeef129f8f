import { describe, expect, it } from '@jest/globals';
import { MetadataScanner } from '@nestjs/core';
import { ListenerMetadataExplorer } from '@nestjs/microservices/listener-metadata-explorer.js';
import {
  event,
  operation,
  Text,
  type AccountContext,
  type CallContext,
  type Delivery,
  type Input,
} from '@vaultsvc/contracts';
import { Consumes, ConsumesPartitioned, Handles } from './decorators.js';

class Question {
  @Text({ max: 10 }) word: string;
}
class Answer {
  @Text({ max: 10 }) answer: string;
}
const ask = operation({
  name: 'oracle.ask',
  summary: 'Asks.',
  access: 'internal',
  callers: ['gateway'],
  body: Question,
  reply: Answer,
});
const tell = operation({
  name: 'oracle.tell',
  summary: 'Tells.',
  http: { method: 'POST', path: '/v1/tell', status: 204 },
  access: { credential: 'key' },
});
const asked = event({ name: 'oracle.asked', payload: Question, consumers: [] });
const told = event({ name: 'oracle.told', payload: Answer, consumers: [] });

class Right {
  @Handles(ask)
  async ask({ body }: Input<typeof ask>, context: CallContext): Promise<Answer> {
    return { answer: body.word + context.requestId };
  }

  @Handles(tell)
  async tell(_input: Input<typeof tell>, context: AccountContext): Promise<void> {
    expect(context.credential.accountId).toBeDefined();
  }

  @Consumes(asked, told)
  async note(deliveries: readonly Delivery<Question | Answer>[]): Promise<void> {
    expect(deliveries).toBeDefined();
  }
}

/** Each method below is one mistake; the build fails when the compiler stops seeing it. */
export class Wrong {
  // @ts-expect-error -- the reply lacks `answer`
  @Handles(ask)
  async otherReply(): Promise<{ reply: string }> {
    return { reply: '' };
  }

  // @ts-expect-error -- the body has no `number`
  @Handles(ask)
  async otherInput({ body }: { body: { number: number } }): Promise<Answer> {
    return { answer: String(body.number) };
  }

  // @ts-expect-error -- an internal operation promises no account
  @Handles(ask)
  async otherContext(_input: Input<typeof ask>, context: AccountContext): Promise<Answer> {
    return { answer: context.credential.accountId };
  }

  // @ts-expect-error -- a handler answers a promise
  @Handles(ask)
  notAsync(): Answer {
    return { answer: '' };
  }

  // @ts-expect-error -- no payload of these has this field
  @ConsumesPartitioned('letter', asked)
  async otherField(deliveries: readonly Delivery<Question>[]): Promise<void> {
    expect(deliveries).toBeDefined();
  }

  // @ts-expect-error -- the event carries another payload
  @Consumes(asked)
  async otherPayload(deliveries: readonly Delivery<Answer>[]): Promise<void> {
    expect(deliveries).toBeDefined();
  }
}

const patternsOf = (instance: object) =>
  new ListenerMetadataExplorer(new MetadataScanner()).explore(instance);

describe('@Handles and @Consumes', () => {
  it("are Nest's patterns of messages and events, and carry their declarations", () => {
    const found = patternsOf(new Right());
    expect(
      found.map(({ methodKey, patterns, isEventHandler }) => [methodKey, patterns, isEventHandler]),
    ).toEqual([
      ['ask', ['rpc.oracle.ask'], false],
      ['tell', ['rpc.oracle.tell'], false],
      ['note', ['oracle.asked oracle.told'], true],
    ]);
    expect(found.map(({ extras }) => extras)).toEqual([
      { operations: [ask] },
      { operations: [tell] },
      { consumption: { events: [asked, told] } },
    ]);
  });

  it('do not compile on a method with a wrong reply, input, context or payload (see class Wrong)', () => {
    expect(patternsOf(new Wrong()).length).toBeGreaterThan(0);
  });
});
