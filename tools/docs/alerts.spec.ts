import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ensureTools } from '../stack/servers/install.ts';
import { workspace } from '../stack/settings.ts';

const alertsDir = join(workspace, 'deploy/alerts');
const read = (path: string) => readFileSync(join(workspace, 'deploy', path), 'utf8');
const namesIn = (text: string, form: RegExp) => [...text.matchAll(form)].map(([, name = '']) => name);
const alerts = () => namesIn(read('alerts/vaultsvc.rules.yaml'), /^ +- alert: (\w+)$/gm);

function promtool(...args: string[]) {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: alertsDir, encoding: 'utf8' });
  return { status, output: `${stdout}${stderr}` };
}

beforeAll(() => ensureTools(['prometheus']), 300_000);

describe('The alerts', () => {
  it('are valid rules', () => {
    expect(promtool('check', 'rules', 'vaultsvc.rules.yaml')).toMatchObject({ status: 0 });
  });

  it('fire for their fault, and none fires in a healthy system', () => {
    expect(promtool('test', 'rules', 'vaultsvc.test.yaml')).toMatchObject({ status: 0 });
  });

  it('each have a test of their own, and one among those of the healthy system', () => {
    const tests = read('alerts/vaultsvc.test.yaml');
    const [fires = '', healthy = ''] = tests.split('- name: nothing fires in a healthy system');
    expect(namesIn(fires, /^ +- alertname: (\w+)$/gm).sort()).toEqual(alerts().sort());
    expect(namesIn(healthy, /^ +- alertname: (\w+)$/gm).sort()).toEqual(alerts().sort());
  });

  it('each name the section of the runbooks that says what to look at and what to do', () => {
    const sections = read('runbooks.md').split(/^### /m).slice(1);
    expect(sections.map((section) => section.split('\n')[0]).sort()).toEqual(alerts().sort());
    for (const section of sections) {
      expect(section).toMatch(/^- Look at: /m);
      expect(section).toMatch(/^- Do: /m);
    }
    const links = namesIn(read('alerts/vaultsvc.rules.yaml'), /runbook: deploy\/runbooks\.md#(\w+)$/gm);
    expect(links).toEqual(alerts().map((name) => name.toLowerCase()));
  });
});
