import { closeSync, openSync, readFileSync, statSync, utimesSync, writeFileSync, writeSync } from 'node:fs';
import { CHUNK_BYTES } from '../../../libs/client/src/transfer/chunk-size.js';
import type { FileRound } from './file-round.js';

/**
 * The source is rewritten at random moments of its upload, and its times are put back. What is active then is the former content,
 * or one that the file had at some moment, never a mixture.
 */
export async function sourceRewritten(round: FileRound): Promise<void> {
  const former = Buffer.from('the former content');
  const ingot = round.vault.store('a.bin', former);
  const path = round.path('a.bin');
  const states = [round.content()];
  writeFileSync(path, states[0] as Buffer);
  const moments = [round.below(states[0]?.length ?? 1), round.below(states[0]?.length ?? 1)].sort(
    (a, b) => a - b,
  );
  round.vault.faults.onReceived = async (bytes) => {
    while (moments.length > 0 && bytes >= (moments[0] as number)) {
      moments.shift();
      states.push(rewrite(round, path));
    }
    await new Promise((resolve) => setTimeout(resolve, round.below(8)));
  };
  const { code } = await round.run(['upload', 'box', path], round.fault(states[0]?.length ?? 1));
  const isState = (bytes: Buffer) => states.some((state) => state.equals(bytes));
  const active = ingot.version?.content as Buffer;
  if (code === 0 && !isState(active)) round.violate('exit 0 with bytes that the file never had');
  if (!active.equals(former) && !isState(active)) round.violate('a mixture is active');
  delete round.vault.faults.onReceived;
  await round.succeed(['upload', 'box', path]);
  if (!ingot.version?.content.equals(readFileSync(path))) round.violate('a later upload is not the file');
}

/** An upload is killed after its first chunk, the source is rewritten, its times are put back, and the same command runs. */
export async function rewrittenBetweenRuns(round: FileRound): Promise<void> {
  const former = Buffer.from('the former content');
  const ingot = round.vault.store('a.bin', former);
  const path = round.path('a.bin');
  const bytes = CHUNK_BYTES + 1 + round.below(1_000_000);
  const whole = round.content(bytes);
  writeFileSync(path, whole);
  let kill = () => {};
  const at = round.below(bytes - CHUNK_BYTES);
  let last = 0;
  let chunks = 1;
  round.vault.faults.onReceived = (received) => {
    if (received < last) chunks += 1;
    last = received;
    if (chunks === 2 && received >= at) kill();
  };
  const first = await round.run(['upload', 'box', path], { onStart: (stop) => (kill = stop) });
  delete round.vault.faults.onReceived;
  // Its last bytes may have been on their way.
  const isWhole = ingot.version?.content.equals(former) || ingot.version?.content.equals(whole);
  if (!isWhole || (first.code === 0 && ingot.version?.content.equals(former)))
    round.violate('half an upload is active');
  if (round.below(4) > 0) rewrite(round, path);
  const { code } = await round.run(['upload', 'box', path]);
  if (code !== 0) await round.succeed(['upload', 'box', path]);
  if (!ingot.version?.content.equals(readFileSync(path))) round.violate('what is active is not the file');
}

/** Writes a part of the file anew, in one call, and puts its times back. Returns what the file is then. */
function rewrite(round: FileRound, path: string): Buffer {
  const { atime, mtime, size } = statSync(path);
  const bytes = round.content(1 + round.below(Math.min(size, 200_000)));
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, round.below(size - bytes.length));
  closeSync(file);
  utimesSync(path, atime, mtime);
  return readFileSync(path);
}
