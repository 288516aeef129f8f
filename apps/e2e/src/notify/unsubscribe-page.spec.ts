import { describe, expect, it } from '@jest/globals';
import { newId } from '@vaultsvc/crypto/encoding';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import { unsubscribeTokenOf } from '@vaultsvc/tools-testing/unsubscribe';

const platform = usePlatform();
const accept = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' };
const form = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });

const newToken = () => unsubscribeTokenOf(platform.notify, newId('acc_'), 'ada@example.com');
const fetchAt = (target: string, options: RequestInit = {}) =>
  fetch(`${platform.url}${target}`, { redirect: 'manual', ...options });

async function isUnsubscribed(token: string): Promise<unknown> {
  const { data } = (await (await fetchAt(`/v1/unsubscribe?token=${token}`)).json()) as {
    data: { unsubscribed: boolean };
  };
  return data.unsubscribed;
}

describe('NTF-41 OPEN-34: the page behind the visible link of a mail', () => {
  it('is the same for every token, stored nowhere, and changes nothing', async () => {
    const token = await newToken();
    const answer = await fetchAt(`/unsubscribe?token=${token}`);
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(answer.headers.get('set-cookie')).toBeNull();
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; script-src 'sha256-[^ ]+'; style-src 'sha256-[^ ]+'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'$/,
    );
    expect(html).toContain('content="noindex, nofollow, noarchive"');
    expect(html).toBe(await (await fetchAt('/unsubscribe?token=x')).text());
    expect(await isUnsubscribed(token)).toBe(false);
  });

  it('is where browsers are sent from the address of the header, and no other client', async () => {
    const token = await newToken();
    const answer = await fetchAt(`/v1/unsubscribe?token=${token}`, { headers: accept });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `/unsubscribe?token=${token}`]);
    for (const other of ['*/*', 'application/json', 'text/html;q=0']) {
      const json = await fetchAt(`/v1/unsubscribe?token=${token}`, { headers: { Accept: other } });
      expect([json.status, json.headers.get('content-type')]).toEqual([
        200,
        'application/json; charset=utf-8',
      ]);
    }
  });

  it('acts on the form of a browser without scripts, and answers it by a page', async () => {
    const token = await newToken();
    const answer = await fetchAt(`/unsubscribe?token=${token}`, { method: 'POST', body: form });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toContain('<h1>You are unsubscribed</h1>');
    expect(await isUnsubscribed(token)).toBe(true);
    const refused = await fetchAt(`/unsubscribe?token=${token.slice(1)}`, { method: 'POST', body: form });
    expect(refused.status).toBe(400);
    expect(await refused.text()).toContain('<h1>This link is not valid</h1>');
  });

  it('keeps the one click of mail programs', async () => {
    const token = await newToken();
    const answer = await fetchAt(`/v1/unsubscribe?token=${token}`, { method: 'POST', body: form });
    expect(answer.status).toBe(200);
    expect(await isUnsubscribed(token)).toBe(true);
  });

  it.each([
    ['HEAD', '/unsubscribe'],
    ['PUT', '/unsubscribe'],
    ['GET', '/unsubscribe/'],
    ['GET', '/Unsubscribe'],
    ['POST', '/unsubscribe/'],
  ])('OPEN-55: is not at %s %s', async (method, target) => {
    expect((await fetchAt(target, { method })).status).toBe(404);
  });
});
