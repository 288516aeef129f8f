import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { CliFixture } from '../testing/cli-fixture.js';
import { refusal } from '../testing/fake-api.js';

let cli: CliFixture;
beforeAll(async () => void (cli = await CliFixture.start()));
afterAll(() => cli.stop());

const SEND = 'POST /v1/products/notify/send';
const STATUS = 'GET /v1/products/notify/sends/ntsnd_1';
const accepted = {
  status: 202,
  data: { send_id: 'ntsnd_1', recipients: 1, status: 'pending', idempotent: false },
};
const sent = () => JSON.parse(String(cli.api.calls[0]?.body)) as Record<string, unknown>;
const report = (status: string, ...states: string[]) => ({
  data: {
    send_id: 'ntsnd_1',
    status,
    recipient_states: [
      {
        recipient: 'ann@x.test',
        seen_at: null,
        deliveries: states.map((state) => ({
          channel: 'email',
          state,
          reason: state === 'failed' ? '550' : null,
        })),
      },
    ],
  },
});

describe('vaultsvc notify send', () => {
  it('NTF-02 NTF-13 CLI-05: sends the standard input to all recipients, by the channels in their order, and prints the id', async () => {
    cli.api.answers({ [SEND]: accepted });
    const words =
      'notify send --to ann@x.test --to +4930123456 --channel sms --channel email --expires 2h --id a.1';
    const { code, stdout } = await cli.run(words, { input: 'secret' });
    expect([code, stdout]).toEqual([0, 'ntsnd_1\n']);
    expect(sent()).toEqual({
      recipients: ['ann@x.test', '+4930123456'],
      channels: ['sms', 'email'],
      content: { payload: 'secret', content_type: 'text/plain', ttl_minutes: 120 },
      policy: {},
      send_id: 'a.1',
    });
  });

  it.each([
    ['', '--to'],
    ['--to a@x.test --channel fax', '--channel is one of'],
    ['--to a@x.test --expires 2d', '--expires'],
    ['--to a@x.test --verify maybe', '--verify is one of'],
  ])('CLI-03: is refused before anything is sent: %j', async (options, message) => {
    cli.api.answers({});
    const { code, stderr } = await cli.run(`notify send ${options}`.trim(), { input: 'x' });
    expect([code, cli.api.called]).toEqual([2, []]);
    expect(stderr).toContain(message);
  });

  it('CLI-03: names the option of a recipient that the API refuses', async () => {
    const fields = [{ field: 'recipients', message: 'recipients must hold recipients' }];
    cli.api.answers({ [SEND]: refusal(400, 'VALIDATION_ERROR', { fields }) });
    const { code, stderr } = await cli.run('notify send --to a@b', { input: 'x' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^vaultsvc: --to must hold recipients\.\n/)]);
  });

  it('NTF-34: waits until nothing is queued, and shows what became of it', async () => {
    const answers = [
      report('pending'),
      report('delivering', 'queued'),
      report('delivered', 'sent', 'scheduled'),
    ];
    cli.api.answers({ [SEND]: accepted, [STATUS]: () => answers.shift() ?? report('failed', 'failed') });
    const { code, stdout } = await cli.run('notify send --to ann@x.test --wait', { input: 'x' });
    expect([code, stdout]).toEqual([
      0,
      'ann@x.test\temail\tsent\t-\t-\nann@x.test\temail\tscheduled\t-\t-\n',
    ]);
    expect(cli.api.called.filter((call) => call === STATUS)).toHaveLength(3);
  });

  it('CLI-03: exits with 1 if somebody was not reached', async () => {
    cli.api.answers({ [SEND]: accepted, [STATUS]: report('failed', 'failed') });
    const { code, stdout } = await cli.run('notify send --to ann@x.test --wait', { input: 'x' });
    expect([code, stdout]).toEqual([1, 'ann@x.test\temail\tfailed\t-\t550\n']);
  });

  it('CLI-08: goes on without the command that waits for it', async () => {
    const stop = new AbortController();
    const status = () => {
      stop.abort();
      return report('delivering', 'queued');
    };
    cli.api.answers({ [SEND]: accepted, [STATUS]: status });
    const { code, stderr } = await cli.run('notify send --to a@x.test --wait', {
      input: 'x',
      signal: stop.signal,
    });
    expect([code, stderr]).toEqual([130, expect.stringContaining('vaultsvc notify status ntsnd_1')]);
  });
});

describe('vaultsvc notify status', () => {
  it('NTF-34 CLI-04: shows a send without waiting, as a table or as the object', async () => {
    const answer = report('delivering', 'queued');
    cli.api.answers({ [STATUS]: answer });
    expect((await cli.run('notify status ntsnd_1')).stdout).toBe('ann@x.test\temail\tqueued\t-\t-\n');
    expect(JSON.parse((await cli.run('notify status ntsnd_1 --json')).stdout)).toEqual(answer.data);
    expect((await cli.run('notify status ntsnd_2')).code).toBe(4);
  });
});
