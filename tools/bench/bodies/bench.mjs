// Calls of one account and visits of link pages while another account sends waves of bodies that are expensive to parse.
import { parseArgs } from 'node:util';
import { withTemporaryStack } from '../../stack/temporary-stack.mjs';
import { peakMegabytes, resetPeak, residentMegabytes } from '../memory.mjs';
import { httpClient, openLoad } from '../load.mjs';
import { say, table } from '../report.mjs';
import { openVault } from '../structured/unsealed-vault.mjs';
import { startDiscarding } from './discarding.mjs';
import { newAccountToken } from './new-account.mjs';
import { startWaves } from './waves.mjs';

const CALLS_PER_SECOND = 200;
const VISITS_PER_SECOND = 20;
const CONNECTIONS = 64;
const LINK_CODE = '0123456789abcdefghijkl';

/** `npm run bench -- bodies`. `args`: the arguments after the name. */
export async function benchBodies(args) {
  const { values } = parseArgs({ args, options: { waves: { type: 'string', default: '5' } } });
  await withTemporaryStack((stack) => measure(stack, Number(values.waves)));
}

async function measure(stack, waves) {
  const vault = await openVault(stack, 1);
  const authorization = `Bearer ${await newAccountToken(stack)}`;
  const others = clientsOf(stack, authorization);
  const discarding = await startDiscarding();
  const url = `${stack.api_url}${vault.path}`;
  const junk = { ...vault.headers, 'x-vault-access-token': 'junk' };
  const attacks = [
    ['bodies that another server discards', { url: discarding.url, headers: {} }],
    ['bodies with a junk token', { url, headers: junk }],
    ['bodies with a valid token', { url, headers: vault.headers }],
  ];
  const seconds = waves * 6;
  try {
    say('warming up');
    await others.use(5);
    const rows = [['nothing', await phase(stack, others, seconds)]];
    for (const [name, target] of attacks) {
      say(`${waves} waves of 30 ${name}`);
      const attack = startWaves({ ...target, waves });
      rows.push([name, await phase(stack, others, seconds), await attack]);
    }
    report(rows, waves);
  } finally {
    await discarding.stop();
    vault.close();
    others.close();
  }
}

/** The other account, which creates Sparks, and visitors of link pages. */
function clientsOf(stack, authorization) {
  const api = httpClient(stack.api_url, CONNECTIONS);
  const links = httpClient(stack.link_url, CONNECTIONS);
  const body = JSON.stringify({ payload: 'x'.repeat(1_024) });
  const headers = { authorization, 'content-type': 'application/json' };
  const create = async () => assertStatus(201, await api.send('POST', '/v1/sparks', headers, body));
  const visit = async () => assertStatus(200, await links.send('GET', `/${LINK_CODE}`, {}));
  return {
    use: (seconds) =>
      Promise.all([
        openLoad({ perSecond: CALLS_PER_SECOND, seconds, task: create }),
        openLoad({ perSecond: VISITS_PER_SECOND, seconds, task: visit }),
      ]),
    close: () => [api, links].forEach((client) => client.close()),
  };
}

async function phase(stack, others, seconds) {
  const pids = { gateway: stack.services.gateway.pid, vaults: stack.services.vaults.pid };
  const before = Object.values(pids).map((pid) => {
    resetPeak(pid);
    return residentMegabytes(pid);
  });
  const [calls, visits] = await others.use(seconds);
  const growth = Object.values(pids).map((pid, index) => peakMegabytes(pid) - before[index]);
  return { calls, visits, growth };
}

function assertStatus(expected, { status, text }) {
  if (status !== expected) throw new Error(`expected ${expected}, got ${status}: ${text.slice(0, 200)}`);
}

function report(rows, waves) {
  const cells = ({ p50, p99, max, errors }) => [p50.toFixed(1), p99.toFixed(1), max.toFixed(1), errors];
  table(
    `${CALLS_PER_SECOND} calls/s of another account and ${VISITS_PER_SECOND} visits/s, while ${waves} waves arrive of 30`,
    [
      '',
      'calls p50 ms',
      'p99',
      'max',
      'errors',
      'visits p50 ms',
      'p99',
      'max',
      'errors',
      'gateway + MB',
      'vaults + MB',
    ],
    rows.map(([name, { calls, visits, growth }]) => [
      name,
      ...cells(calls),
      ...cells(visits),
      ...growth.map((megabytes) => megabytes.toFixed(0)),
    ]),
  );
  table(
    'What the bodies were answered',
    ['', 'answers'],
    rows.flatMap(([name, , answers]) => (answers ? [[name, answers]] : [])),
  );
}
