import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FEED_SOCKET_PATH, sendNotification, type FeedEntry } from '@vaultsvc/contracts/notify';
import { newId } from '@vaultsvc/crypto/encoding';
import { api, succeeded } from '@vaultsvc/testing/http';
import { eventually } from '@vaultsvc/testing/waiting';
import type { Browser } from 'playwright-core';
import { newSend } from '../access/notify-samples.js';
import { launchBrowser, openContext } from '../browser/browser.js';
import { pagesOrigin, stack } from '../stack.js';
import { TcpFaultProxy } from '../upload/tcp-fault-proxy.js';

const SENDS = 8;
const { api_url, account } = stack();
const own = api(api_url, { key: account.api_key });
let browser: Browser;
let proxy: TcpFaultProxy;
let site: Server;

beforeAll(async () => {
  [browser, proxy, site] = await Promise.all([launchBrowser(), TcpFaultProxy.start(api_url), startSite()]);
});
afterAll(async () => {
  await Promise.all([browser.close(), proxy.close()]);
  site.close();
});

const notify = async (title: string) =>
  succeeded(await own.call(sendNotification, { body: newSend({ title, channels: ['websocket'] }) as never }));

/** The site of an application, at a listed origin: an empty page. */
async function startSite(): Promise<Server> {
  const listener = createServer((_, response) => response.setHeader('Content-Type', 'text/html').end());
  listener.listen(Number(new URL(pagesOrigin()).port), '127.0.0.1');
  await once(listener, 'listening');
  return listener;
}

/** The script of an application: it opens the socket, and again after the last entry whenever the line is cut. */
const script = (url: string, key: string, from: number) => `
  let last = ${from};
  window.sockets = 0;
  const open = () => {
    const socket = new WebSocket(${JSON.stringify(url)} + last, ['vaultsvc.v1', 'api-key.' + ${JSON.stringify(key)}]);
    socket.onopen = () => { window.sockets += 1; };
    socket.onmessage = ({ data }) => {
      const entry = JSON.parse(data);
      last = entry.position;
      window.onEntry(entry);
    };
    socket.onclose = () => setTimeout(open, 50);
  };
  open();
`;

describe('NTF-44: the live feed in a browser', () => {
  it('OPEN-64: arrives once and in order, however often the line is cut between two entries', async () => {
    const page = await (await openContext(browser)).newPage();
    await page.goto(pagesOrigin());
    const received: FeedEntry[] = [];
    await page.exposeFunction('onEntry', (entry: FeedEntry) => {
      received.push(entry);
      proxy.cut();
    });
    const run = newId('run_');
    const url = `${proxy.origin.replace('http', 'ws')}${FEED_SOCKET_PATH}?after=`;
    await page.evaluate(script(url, account.api_key, 0));
    for (let number = 1; number <= SENDS; number += 1) await notify(`${run} ${number}`);
    const ofRun = () => received.filter(({ title }) => title?.startsWith(run));
    await eventually(ofRun, ({ length }) => length >= SENDS);
    // A later entry shows that no repeat of an earlier one follows.
    await notify(`${run} last`);
    await eventually(ofRun, ({ length }) => length > SENDS);
    const positions = received.map(({ position }) => position);
    expect(positions).toEqual(positions.map((_, index) => (positions[0] as number) + index));
    expect(new Set(ofRun().map(({ title }) => title)).size).toBe(SENDS + 1);
    expect(await page.evaluate('window.sockets')).toBeGreaterThan(1);
    await page.context().close();
  });
});
