import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  Catch,
  Controller,
  Get,
  Injectable,
  Module,
  type ArgumentsHost,
  type ExceptionFilter,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { APP_FILTER, NestFactory } from '@nestjs/core';
import { ServiceConfig } from '@vaultsvc/config';
import { AppError, healthOperation, operation, Text, type Input } from '@vaultsvc/contracts';
import { Handles } from '@vaultsvc/messaging';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { internalContext } from '@vaultsvc/testing/harness';
import { defineService, startMessaging, type RunningService } from './index.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const file = operation({
  name: 'desk.file',
  summary: 'Files a note.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
  reply: Note,
  errors: ['SPARK_NOT_FOUND', 'SPARK_BURNED'],
});

@Controller('desk')
class Desk {
  @Handles(file)
  async file({ body }: Input<typeof file>): Promise<Note> {
    if (body.text === 'missing') throw new AppError('SPARK_NOT_FOUND');
    throw new RangeError(body.text);
  }

  @Get()
  read(): never {
    throw new RangeError('over HTTP');
  }
}

@Injectable()
class Hooks implements OnModuleInit, OnApplicationBootstrap {
  readonly called: string[] = [];
  onModuleInit(): void {
    this.called.push('init');
  }
  onApplicationBootstrap(): void {
    this.called.push('bootstrap');
  }
}

/** A global filter for one kind of error. */
@Catch(RangeError)
class RangeFilter implements ExceptionFilter<RangeError> {
  catch(error: RangeError, host: ArgumentsHost): void {
    if (host.getType() !== 'http') throw new AppError('SPARK_BURNED', undefined, { cause: error });
    host
      .switchToHttp()
      .getResponse<{ status(code: number): { end(text: string): void } }>()
      .status(418)
      .end('filtered');
  }
}

@Module({ controllers: [Desk], providers: [Hooks, { provide: APP_FILTER, useClass: RangeFilter }] })
class DeskModule {}

const withoutHttp = defineService({ name: 'desk', config: ServiceConfig, module: DeskModule });
let url = '';
const withHttp = defineService({
  ...withoutHttp,
  host: async (root, _, options) => {
    const app = await NestFactory.create(root, options);
    await startMessaging(app);
    await app.listen(0, '127.0.0.1');
    url = await app.getUrl();
    return app;
  },
});

const harness = useHarness({ LOG_LEVEL: 'silent' });
let service: RunningService;
const call = (text: string) => harness.bus.call(file, { body: { text } }, internalContext());

describe.each([
  ['without HTTP, whose global filters see the errors of operations', withoutHttp, 'SPARK_BURNED'],
  ['with HTTP, whose global filters see errors over HTTP only', withHttp, 'INTERNAL_ERROR'],
])('MISC-01: a service %s', (_, definition, reason) => {
  beforeAll(async () => void (service = await harness.start(definition)));
  afterAll(() => service.stop());

  it('serves its operations', async () => {
    const health = harness.bus.call(healthOperation('desk'), {}, internalContext());
    expect(await health).toMatchObject({ status: 'ok' });
    await expect(call('missing')).rejects.toMatchObject({ reason: 'SPARK_NOT_FOUND' });
    await expect(call('too long')).rejects.toMatchObject({ reason });
  });

  it('calls each start hook once', () => {
    expect(service.context.get(Hooks).called).toEqual(['init', 'bootstrap']);
  });
});

describe('a service with HTTP', () => {
  it('keeps its routes, and its filters for them', async () => {
    service = await harness.start(withHttp);
    const response = await fetch(`${url}/desk`);
    expect([response.status, await response.text()]).toEqual([418, 'filtered']);
    await service.stop();
  });
});
