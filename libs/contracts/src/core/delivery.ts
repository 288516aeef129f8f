import { ListOf, Text, TextList } from './fields.js';
import { operation } from './operation.js';

export class EventReference {
  @Text({ max: 36 }) id: string;
  @Text({ max: 100 }) name: string;
}

export class UnprocessedQuestion {
  @Text({ max: 100 }) consumer: string;
  @ListOf(() => EventReference, { max: 1_000 }) events: EventReference[];
}

export class UnprocessedAnswer {
  @TextList({ maxItems: 1_000, max: 36 }) ids: string[];
}

/** Which of these events a consumer has to apply and has not: how a publisher heals what JetStream lost. */
export function unprocessedOperation<const S extends string>(service: S) {
  return operation({
    name: `${service}.unprocessed`,
    summary: 'Which of these events this service still has to apply.',
    access: 'internal',
    body: UnprocessedQuestion,
    reply: UnprocessedAnswer,
    repeatable: true,
  });
}
