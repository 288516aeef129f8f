import {
  Catch,
  Controller,
  Module,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { operation, serviceContext, Text, type Input } from '@vaultsvc/contracts';
import { Handles, MessagingTransport, UnhandledErrorFilter } from '@vaultsvc/messaging';
import type { Observable } from 'rxjs';

class Note {
  @Text({ max: 100 }) text: string;
}
const note = {
  summary: 'Echoes.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
  reply: Note,
} as const;
const plain = operation({ name: 'desk.plain', ...note });
const guarded = operation({ name: 'desk.guarded', ...note });
const intercepted = operation({ name: 'desk.intercepted', ...note });
const filtered = operation({ name: 'desk.filtered', ...note });

class Admit implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}
class PassThrough implements NestInterceptor {
  intercept(_: unknown, next: CallHandler): Observable<unknown> {
    return next.handle();
  }
}
@Catch(RangeError)
class RangeFilter implements ExceptionFilter {
  catch(error: unknown): never {
    throw error;
  }
}

@Controller()
class Desk {
  @Handles(plain)
  async plain({ body }: Input<typeof plain>): Promise<Note> {
    return body;
  }

  @Handles(guarded)
  @UseGuards(Admit)
  async guarded({ body }: Input<typeof guarded>): Promise<Note> {
    return body;
  }

  @Handles(intercepted)
  @UseInterceptors(PassThrough)
  async intercepted({ body }: Input<typeof intercepted>): Promise<Note> {
    return body;
  }

  @Handles(filtered)
  @UseFilters(RangeFilter)
  async filtered({ body }: Input<typeof filtered>): Promise<Note> {
    return body;
  }
}

@Module({ controllers: [Desk], providers: [{ provide: APP_FILTER, useClass: UnhandledErrorFilter }] })
class DeskModule {}

type Dispatch = () => Promise<unknown>;

/** One call of the bare method, and of each method as `MessagingTransport` dispatches it; no message is sent. */
export async function dispatches(): Promise<ReadonlyMap<string, Dispatch>> {
  const input = { params: undefined, query: undefined, body: { text: 'note' } };
  const context = serviceContext('bench');
  const desk = new Desk();
  const bare = desk.plain.bind(desk);
  const found = new Map<string, Dispatch>([['the bare method', () => bare(input)]]);
  const start: MessagingTransport['runtime']['start'] = async (handlers) => {
    for (const { op, handle } of handlers) found.set(op.name, () => handle(input as never, context as never));
  };
  const strategy = new MessagingTransport({ start } as never, undefined as never);
  const service = await NestFactory.createMicroservice(DeskModule, { strategy, logger: false });
  await service.listen();
  return found;
}
