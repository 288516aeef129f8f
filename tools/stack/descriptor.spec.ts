import { describe, expect, it } from '@jest/globals';
import { describeStack } from './descriptor.ts';
import { appCredentials } from './environment.ts';
import { Server } from './servers/server.ts';
import { readSettings } from './settings.ts';

const settings = readSettings({ VAULTSVC_PORT: '9000' }, []);

function idle(name: string) {
  return new Server({
    name,
    url: 'http://127.0.0.1:1',
    command: process.execPath,
    args: [],
    stopSignal: 'SIGTERM',
    probe: () => Promise.resolve(),
    logPath: '',
    childrenDir: '',
  });
}

describe('The descriptor of a stack', () => {
  it('has null as the pid of a program that is not running', () => {
    const description = describeStack(settings, {
      account: {},
      natsUrl: 'nats://inspector:x@127.0.0.1:9022',
      postgresUrl: '',
      kmsSecret: '',
      apps: appCredentials({ apps: { CHATAPP_SIGNING_SECRET: 'signing' } }),
      infrastructure: ['redis', 'kms', 'identity', 'mail', 'providers'].map(idle),
      services: [idle('notify')],
    });
    expect(description).toMatchObject({
      kms: { pid: null },
      identity: { pid: null },
      mail: { pid: null },
      providers: { pid: null },
      chat_api_url: 'http://127.0.0.1:9006',
      integrations: { chatapp: { client_id: 'local-chatapp', signing_secret: 'signing' } },
      services: { notify: { pid: null } },
      infrastructure: { redis: { pid: null } },
    });
  });
});
