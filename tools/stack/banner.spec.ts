import { beforeAll, describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { banner } from './banner.ts';
import { stackPaths } from './settings.ts';

const at = (port: number) => `http://127.0.0.1:${port}`;
const key = `vk_live_${'x'.repeat(45)}`;
/** With ports of five digits, whose addresses are the longest. */
const stack = {
  api_url: at(18080),
  forge_url: at(18081),
  link_url: 'http://localhost:18082',
  files_url: at(18083),
  identity_url: at(18084),
  mail_url: at(18085),
  chat_api_url: at(18086),
  crma_api_url: at(18087),
  crmb_api_url: at(18088),
  postgres_url: 'postgres://inspector:secret@127.0.0.1:18100/vaultsvc',
  services: { gateway: { pid: 1, private_url: at(18120) } },
  account: { account_id: 'acc_q41XWj1iTvN4SPLtE9eeZD', owner_email: 'owner@localhost.test', api_key: key },
};

let lines: string[];
beforeAll(() => {
  lines = banner(stack, stackPaths({}).dir).split('\n');
});

describe('The text after a start', () => {
  it('names first where the web application is, then where the API, its reference, sign-in, messages, metrics and logs are', () => {
    const shown = new Map(lines.map((line) => [line.slice(2, 14).trim(), line.slice(14)]));
    expect([...shown.keys()].find((name) => name !== '')).toBe('App');
    expect(shown.get('App')).toBe(`${at(18080)} (any e-mail address signs in)`);
    expect(shown.get('API')).toBe(at(18080));
    expect(shown.get('Reference')).toBe(`${at(18080)}/docs`);
    expect(shown.get('Identity')).toContain(`${at(18084)}/signin`);
    expect(shown.get('Messages')).toBe(at(18085));
    expect(shown.get('Metrics')).toMatch(/^http:\/\/127\.0\.0\.1:18120\/metrics \(gateway\)/);
    expect(shown.get('Logs')).toBe('npm run logs');
    expect(lines.join()).not.toContain('secret@');
  });

  it('fits 100 columns, except for the line with the key', () => {
    const wide = lines.filter((line) => line.length > 100);
    expect(wide.filter((line) => !line.startsWith('  export '))).toEqual([]);
    expect(lines.filter((line) => line.includes(key))).toEqual([
      `  export VAULTSVC_URL=${at(18080)} VAULTSVC_API_KEY=${key}`,
    ]);
  });

  it('has commands to paste that create a Spark and read it twice', () => {
    const commands = lines.slice(lines.findIndex((line) => line.startsWith('  export '))).join('\n');
    const curl = `curl() { echo "curl $*" >&2; echo '{"data":{"spark_id":"spk_1","size_bytes":5}}'; }`;
    const { stdout, stderr } = spawnSync('sh', ['-euc', `${curl}\n${commands}`], { encoding: 'utf8' });
    const read = `curl -s ${at(18080)}/v1/sparks/spk_1 -H X-API-Key: ${key}`;
    const create = `curl -s ${at(18080)}/v1/sparks -H X-API-Key: ${key} -H Content-Type: application/json -d {"payload":"hello"}`;
    expect(stderr.trim().split('\n')).toEqual([create, read, read]);
    expect(stdout).toMatch(/^spk_1\n/);
  });

  it.each([
    ['.local/second', 'VAULTSVC_DIR=.local/second npm run logs'],
    ['/srv/stack', 'VAULTSVC_DIR=/srv/stack npm run logs'],
    ["/srv/Ann's stack", `VAULTSVC_DIR='/srv/Ann'\\''s stack' npm run logs`],
  ])('names the folder of a stack that is in %s', (dir, command) => {
    expect(banner(stack, stackPaths({ VAULTSVC_DIR: dir }).dir)).toContain(`  Logs        ${command}\n`);
  });
});
