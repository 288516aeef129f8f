import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { errorReasons, errorStatus, type ErrorReason } from '@vaultsvc/contracts';
import { operations } from '@vaultsvc/contracts/catalog';
import { useHarness } from '@vaultsvc/testing/fixtures';
import { urlOf } from '@vaultsvc/testing/harness';
import { send } from '@vaultsvc/testing/http';
import { fixtureGateway, fixtureSettings } from '../testing/gateway-fixture.js';
import { errorTopics } from './error-topics.js';
import { errorsPage } from './errors-page.js';
import { html } from './html.js';

const harness = useHarness({ LOG_LEVEL: 'silent' });
let url: string;

beforeAll(async () => {
  url = urlOf(await harness.start(fixtureGateway, fixtureSettings));
});

const { page, policy } = errorsPage();
const publicReasons = Object.entries(errorReasons)
  .filter(([, { shownAs }]) => shownAs === undefined)
  .map(([reason]) => reason as ErrorReason);

/** The text of the entry of a reason. */
function entryOf(reason: ErrorReason): string {
  const [, entry = ''] = new RegExp(`<article id="${reason}">([^]*?)</article>`).exec(page) ?? [];
  return entry;
}

describe('ENV-05 MISC-02: /docs/errors', () => {
  it.each(publicReasons)('has %s at its anchor, with status, code, message and what to do', (reason) => {
    const { code, message, help = '' } = errorReasons[reason];
    const entry = entryOf(reason);
    expect(entry).toContain(`${errorStatus[code]} ${code}`);
    expect(entry).toContain(html`${message}`.text);
    expect(entry).toContain(html`${help}`.text);
    expect(page.split(` id="${reason}"`)).toHaveLength(2);
  });

  it('has no reason that callers never see, and each of the others in one topic', () => {
    expect(page).not.toContain('VERIFIED_REQUEST_REFUSED');
    expect(errorTopics().flatMap(({ reasons }) => reasons)).toEqual(publicReasons);
    expect(errorTopics().every(({ reasons }) => reasons.length > 0)).toBe(true);
  });

  it('names only operations that exist', () => {
    const known = new Set(operations.map(({ http: { method, path } }) => `${method} ${path}`));
    const texts = Object.values(errorReasons).flatMap(({ message, help = '' }) => [message, help]);
    const named = texts.flatMap((text) => text.match(/(?:GET|POST|PUT|PATCH|DELETE) \/[\w{}/-]+/g) ?? []);
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((name) => !known.has(name))).toEqual([]);
  });

  it('says what to do in whole sentences', () => {
    for (const { help } of Object.values(errorReasons)) if (help !== undefined) expect(help).toMatch(/\.$/);
  });

  it('OPEN-10: is served as it is, with one script by its hash, and not counted', async () => {
    const answer = await send(url, { method: 'GET', target: '/docs/errors' });
    expect(answer.status).toBe(200);
    expect(answer.body.toString()).toBe(page);
    expect(answer.headers['content-security-policy']).toBe(policy);
    expect(answer.headers).not.toHaveProperty('ratelimit-policy');
    const [, style = ''] = /<style>([^]*?)<\/style>/.exec(page) ?? [];
    expect(policy).toContain(`'sha256-${createHash('sha256').update(style).digest('base64')}'`);
    const [, script = ''] = /<script>([^]*?)<\/script>/.exec(page) ?? [];
    expect(policy).toContain(`'self' 'sha256-${createHash('sha256').update(script).digest('base64')}'`);
    expect(page.replace(script, '').replace(style, '')).not.toMatch(/<script[^>]| on\w+=| style=/);
    for (const target of ['/docs/errors/', '/docs/Errors'])
      expect((await send(url, { method: 'GET', target })).status).toBe(404);
  });
});
