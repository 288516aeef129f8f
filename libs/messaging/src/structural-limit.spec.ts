import { expect, it } from '@jest/globals';
import { Controller, Module } from '@nestjs/common';
import { ServiceConfig } from '@vaultsvc/config';
import { operation, Text } from '@vaultsvc/contracts';
import { defineService } from '@vaultsvc/service';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { accountContext, reasonOf } from '@vaultsvc/testing/harness';
import { Handles } from './index.js';

class Note {
  @Text({ max: 100 }) text: string;
}
const fileNote = operation({
  name: 'desk.file',
  summary: 'For callers of the API.',
  http: { method: 'POST', path: '/v1/desk/notes', status: 204 },
  access: { credential: 'key' },
  structuralCharactersMax: 10,
  body: Note,
});
const copyNote = operation({
  name: 'desk.copy',
  summary: 'For services.',
  access: 'internal',
  callers: ['gateway'],
  body: Note,
});

@Controller()
class Desk {
  @Handles(fileNote)
  async file(): Promise<void> {}

  @Handles(copyNote)
  async copy(): Promise<void> {}
}
@Module({ controllers: [Desk] })
class DeskModule {}
const desk = defineService({ name: 'desk', config: ServiceConfig, module: DeskModule });

const harness = useHarness({ LOG_LEVEL: 'silent' });

it('OPEN-06: a service holds the structural limit of a public operation itself, before it parses the body', async () => {
  await harness.start(desk);
  const body = (objects: number) => Buffer.from(`{"text":"a","more":[${'{},'.repeat(objects - 1)}{}]}`);
  const send = (op: typeof fileNote | typeof copyNote, objects: number) =>
    reasonOf(harness.bus.forward(op, {}, body(objects), accountContext()));
  expect(await send(fileNote, 3)).toBe('none');
  expect(await send(fileNote, 4)).toBe('VALIDATION_ERROR');
  expect(await send(copyNote, 4_000)).toBe('none');
});
