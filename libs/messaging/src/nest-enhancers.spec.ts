import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Controller,
  Injectable,
  Module,
  Scope,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { MessagePattern } from '@nestjs/microservices';
import { ServiceConfig } from '@vaultsvc/config';
import { AppError, operation, Text, type CallContext, type Input, type Operation } from '@vaultsvc/contracts';
import { defineService, type RunningService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { callKeysOf } from '@vaultsvc/testing/wire';
import { internalContext } from '@vaultsvc/testing/harness';
import { map, of, type Observable } from 'rxjs';
import { Bus, CallKeys, Handles, MessagingTransport } from './index.js';
import type { MessagingRuntime } from './messaging-runtime.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const common = {
  summary: 'Files a note.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
  reply: Note,
  errors: ['SPARK_NOT_FOUND', 'SPARK_BURNED'],
} as const;
const guarded = operation({ name: 'desk.guarded', ...common });
const intercepted = operation({ name: 'desk.intercepted', ...common });
const filtered = operation({ name: 'desk.filtered', ...common });
const scoped = operation({ name: 'desk.scoped', ...common });
const plain = operation({ name: 'desk.plain', ...common });

let seen: { readonly text: string; readonly of?: unknown }[] = [];

/** Sees what a guard of any application sees. */
@Injectable()
class NoteGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const rpc = context.switchToRpc();
    const { body } = rpc.getData<Input<typeof guarded>>();
    const { requestId } = rpc.getContext<CallContext>();
    const of = [context.getType(), context.getClass().name, context.getHandler().name, requestId];
    seen.push({ text: body.text, of });
    if (body.text === 'unknown') throw new AppError('SPARK_NOT_FOUND', { item: 'none' });
    return body.text !== 'refused';
  }
}

class Shout implements NestInterceptor<Note, Note> {
  intercept(_: ExecutionContext, next: CallHandler<Note>): Observable<Note> {
    return next.handle().pipe(
      map((reply) => {
        seen.push(reply);
        return { text: reply.text.toUpperCase() };
      }),
    );
  }
}

@Catch(RangeError)
class RangeFilter implements ExceptionFilter<RangeError> {
  catch(error: RangeError): Observable<Note> {
    if (error.message === 'replaceable') return of({ text: 'instead' });
    throw new AppError('SPARK_BURNED', undefined, { cause: error });
  }
}

@Controller()
class Desk {
  @UseGuards(NoteGuard)
  @Handles(guarded)
  async guarded({ body }: Input<typeof guarded>, _: CallContext): Promise<Note> {
    return body;
  }

  @Handles(intercepted)
  @UseInterceptors(Shout)
  async intercepted({ body }: Input<typeof intercepted>): Promise<Note> {
    if (body.text === 'missing') throw new AppError('SPARK_NOT_FOUND');
    return body;
  }

  @Handles(filtered)
  @UseFilters(RangeFilter)
  async filtered({ body }: Input<typeof filtered>): Promise<Note> {
    if (body.text === 'missing') throw new AppError('SPARK_NOT_FOUND');
    throw new RangeError(body.text);
  }

  @Handles(plain)
  async plain({ body }: Input<typeof plain>, { requestId }: CallContext): Promise<Note> {
    if (body.text === 'missing') throw new AppError('SPARK_NOT_FOUND', { item: 'none' });
    return { text: `${body.text} of ${requestId}` };
  }
}

let instances = 0;
@Controller({ scope: Scope.REQUEST })
class ScopedDesk {
  readonly #number = ++instances;

  @Handles(scoped)
  async handle({ body }: Input<typeof scoped>): Promise<Note> {
    if (body.text === 'missing') throw new AppError('SPARK_NOT_FOUND');
    return { text: `instance ${this.#number}` };
  }
}

@Module({ controllers: [Desk, ScopedDesk] })
class DeskModule {}
const desk = defineService({ name: 'desk', config: ServiceConfig, module: DeskModule });

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
beforeAll(async () => void (service = await harness.start(desk)));
beforeEach(() => void (seen = []));
afterAll(() => service.stop());

const context = () => internalContext('test');
const call = (op: Operation, text: string, bus: Bus = harness.bus) =>
  bus.call(op, { body: { text } } as never, context());

describe('MISC-01: an operation whose handler has a guard of Nest', () => {
  it('is passed to the guard with input and call context, and answered when the guard lets it through', async () => {
    const { requestId } = context();
    expect(await call(guarded, 'fine')).toEqual({ text: 'fine' });
    expect(seen).toEqual([{ text: 'fine', of: ['rpc', 'Desk', 'guarded', requestId] }]);
  });

  it('is refused with the error of the guard and its details', async () => {
    await expect(call(guarded, 'unknown')).rejects.toMatchObject({
      reason: 'SPARK_NOT_FOUND',
      details: { item: 'none' },
    });
  });

  it('ENV-30: is INTERNAL_ERROR when the guard returns false, which names no declared error', async () => {
    await expect(call(guarded, 'refused')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('OPEN-51: does not reach the guard with a MAC under another key, twice, or after its deadline', async () => {
    const foreign = new Bus(
      harness.connection,
      new CallKeys('gateway', new Map([['gateway-desk', [Buffer.alloc(32, 1)]]])),
    );
    const late = { ...context(), deadlineMs: Date.now() - 1 };
    const brief = { ...context(), deadlineMs: Date.now() + 200 };
    const input = { body: { text: 'hostile' } };
    await Promise.allSettled([
      foreign.call(guarded, input, brief),
      new Bus(harness.connection, callKeysOf('gateway')).call(guarded, input, late),
    ]);
    const subscription = harness.connection.subscribe(guarded.subject, { max: 1 });
    await call(guarded, 'once');
    for await (const { subject, data, reply, headers } of subscription)
      harness.connection.publish(subject, data, { reply, headers });
    await call(guarded, 'behind');
    expect(seen.map(({ text }) => text)).toEqual(['once', 'behind']);
  });
});

describe('MISC-01: an operation whose handler has an interceptor of Nest', () => {
  it('is answered with the reply that the interceptor returns', async () => {
    expect(await call(intercepted, 'quiet')).toEqual({ text: 'QUIET' });
    expect(seen).toEqual([{ text: 'quiet' }]);
  });

  it('fails with the declared error of the handler', async () => {
    await expect(call(intercepted, 'missing')).rejects.toMatchObject({ reason: 'SPARK_NOT_FOUND' });
  });
});

describe('MISC-01: an operation whose handler has an exception filter of Nest', () => {
  it('fails with the error that the filter throws', async () => {
    await expect(call(filtered, 'too long')).rejects.toMatchObject({ reason: 'SPARK_BURNED' });
  });

  it('is answered with the reply that the filter returns', async () => {
    expect(await call(filtered, 'replaceable')).toEqual({ text: 'instead' });
  });

  it('fails with the error of the handler when the filter is for other errors', async () => {
    await expect(call(filtered, 'missing')).rejects.toMatchObject({ reason: 'SPARK_NOT_FOUND' });
  });
});

describe('MISC-01: an operation whose handler has nothing of Nest around it', () => {
  it('is passed input and call context, and fails with its declared errors', async () => {
    const { requestId } = context();
    expect(await call(plain, 'note')).toEqual({ text: `note of ${requestId}` });
    await expect(call(plain, 'missing')).rejects.toMatchObject({
      reason: 'SPARK_NOT_FOUND',
      details: { item: 'none' },
    });
  });
});

describe('an operation whose controller is request-scoped', () => {
  it('gets an instance for each call, and fails with its declared errors', async () => {
    const replies = [await call(scoped, 'a'), await call(scoped, 'b')];
    expect(replies).toEqual([{ text: 'instance 1' }, { text: 'instance 2' }]);
    await expect(call(scoped, 'missing')).rejects.toMatchObject({ reason: 'SPARK_NOT_FOUND' });
  });
});

describe('OPEN-51: a method with a bare pattern of Nest', () => {
  it('keeps its service from starting, because nothing would authenticate its callers', async () => {
    @Controller()
    class Open {
      @MessagePattern('rpc.desk.open')
      async handle(): Promise<void> {}
    }
    @Module({ controllers: [Open] })
    class OpenModule {}
    const strategy = new MessagingTransport({} as MessagingRuntime, harness.connection);
    const open = await NestFactory.createMicroservice(OpenModule, {
      strategy,
      abortOnError: false,
      logger: false,
    });
    await expect(open.listen()).rejects.toThrow(
      'rpc.desk.open is not declared: mark its method with @Handles or @Consumes',
    );
  });
});
