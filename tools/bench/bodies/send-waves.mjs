// Sends waves of 30 bodies of 7 MiB, five calls a second on average: the rate limit of an account. All bodies of a wave
// arrive but for the last byte, which is sent for all at once.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

const BODIES = 30;
const WAVE_MS = 6_000;
const HOLD_MS = 2_000;
const { url, headers, waves } = JSON.parse(process.argv[2]);
const objects = '{},'.repeat((7 * 1_048_576 - 100) / 3);
const body = Buffer.from(`{"name":"bench","data":{"a":[${objects}{}]}}`);
const counts = new Map();

for (let wave = 0; wave < waves; wave++) {
  const ended = delay(WAVE_MS);
  const release = delay(HOLD_MS);
  const answers = Array.from({ length: BODIES }, () => send(release));
  for (const answer of await Promise.all(answers)) counts.set(answer, (counts.get(answer) ?? 0) + 1);
  await ended;
}
process.stdout.write([...counts].map(([answer, count]) => `${count} × ${answer}`).join(', '));

/** The status, or the code of the error. */
function send(release) {
  return new Promise((resolve) => {
    const outgoing = request(url, {
      method: 'POST',
      agent: false,
      headers: { ...headers, 'content-length': body.length },
    });
    outgoing.on('response', (response) => {
      response.on('error', () => undefined).resume();
      resolve(response.statusCode);
    });
    outgoing.on('error', ({ code }) => resolve(code));
    outgoing.write(body.subarray(0, -1));
    void release.then(() => outgoing.destroyed || outgoing.end(body.subarray(-1)));
  });
}
