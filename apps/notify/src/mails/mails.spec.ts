import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { Database } from '@vaultsvc/database';
import type { RunningService } from '@vaultsvc/service';
import { startHarness, type Harness } from '@vaultsvc/testing/harness';
import { notify } from '../notify.service.js';
import { MailRepository } from './mail.repository.js';

let harness: Harness;
let service: RunningService;
beforeAll(async () => {
  harness = await startHarness({ LOG_LEVEL: 'silent' });
  service = await harness.start(notify);
});
afterAll(() => harness.stop());

it('a mail that is owed is due at once; where none is owed nothing is, and nobody looks again and again', async () => {
  const mails = service.context.get(MailRepository);
  expect(await mails.nextDueMs()).toBeUndefined();
  const mail = {
    id: randomUUID(),
    kind: 'invitation',
    subjectId: newId('usr_'),
    accountId: newId('acc_'),
    requestId: null,
  } as const;
  await service.context.get(Database).transaction((tx) => mails.add(tx, [mail]));
  expect(await mails.nextDueMs()).toBe(0);
});
