import { describe, expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import { operation, Text, type Input } from '@vaultsvc/contracts';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext } from '@vaultsvc/testing/harness';
import { Handles } from './index.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const file = operation({
  name: 'desk.file',
  summary: 'Files a note.',
  http: { method: 'POST', path: '/v1/desk/notes', status: 201 },
  access: { credential: 'key' },
  idempotent: {},
  body: Note,
  reply: Note,
});

let filed: string[] = [];

/** Without a database it remembers no key and marks no reply, as an instance of a release before Idempotency-Key. */
@Controller()
class OldDesk {
  @Handles(file)
  async file({ body }: Input<typeof file>): Promise<Note> {
    filed.push(body.text);
    return body;
  }
}
@Module({ controllers: [OldDesk] })
class OldDeskModule {}
const oldDesk = defineService({ name: 'desk', config: ServiceConfig, module: OldDeskModule });

const harness = useHarness({ LOG_LEVEL: 'silent' });
const call = (text: string, idempotencyKey?: string) =>
  harness.bus.call(
    file,
    { body: { text } },
    { ...accountContext(), ...(idempotencyKey && { idempotencyKey }) },
  );

describe('OPEN-67: a called service of a release without Idempotency-Key', () => {
  it('has the effect once: repetitions are refused, naming the service and what it lacks', async () => {
    const service = await harness.start(oldDesk);
    filed = [];
    expect(await call('once', 'key-of-the-caller')).toEqual({ text: 'once' });
    for (const _ of [1, 2])
      await expect(call('once', 'key-of-the-caller')).rejects.toMatchObject({
        code: 'INTERNAL_ERROR',
        cause: {
          message:
            'service desk has an instance without idempotency: deploy its release before that of its callers',
        },
      });
    expect(filed).toEqual(['once']);
    expect(await call('without a key')).toEqual({ text: 'without a key' });
    await service.stop();
  });
});
