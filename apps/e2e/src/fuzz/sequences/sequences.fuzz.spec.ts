import { afterAll, describe, it } from '@jest/globals';
import { integer, loadConfig, Setting, text } from '@vaultsvc/config';
import { operations } from '@vaultsvc/contracts/catalog';
import { usePlatform } from '@vaultsvc/tools-testing/platform';
import fc from 'fast-check';
import { callsOf } from './call-command.js';
import { Figures } from './figures.js';
import { assertPresent } from './presence.js';
import { Sequence } from './sequence.js';
import { transfers } from './transfer-command.js';

class SequencesConfig {
  @Setting(integer({ min: 1, max: 10_000_000 }), 'Steps of all sequences together.')
  FUZZ_STEPS = 200;

  @Setting(integer(), 'Seed of the sequences, to repeat a failing run.')
  FUZZ_SEED = 1;

  @Setting(text, 'Path of one sequence, from the report of its failure; only this sequence runs.')
  FUZZ_PATH = '';

  @Setting(text, 'File for the figures of the run.')
  FUZZ_FIGURES = '';
}
const { FUZZ_STEPS, FUZZ_SEED, FUZZ_PATH, FUZZ_FIGURES } = loadConfig(SequencesConfig);

const STEPS_MAX = 40;
/** Sequences of one seed; the next ones have another seed. */
const SEQUENCES = 10;
/** Sequences that run at once: most of their time is waiting for servers. They share no account. */
const LANES = 3;

const platform = usePlatform({ LOG_LEVEL: 'error' });
const figures = new Figures();
afterAll(() => {
  if (FUZZ_FIGURES !== '') figures.write(FUZZ_FIGURES);
});

/** More steps of the operations with more input. */
const calls = operations.flatMap((op) =>
  Array.from({ length: 1 + (op.params ? 2 : 0) + (op.body ? 2 : 0) }, () => callsOf(op)),
);

const commands = fc.commands([...calls, ...Array.from({ length: 12 }, transfers)], {
  maxCommands: STEPS_MAX,
  size: 'max',
  disableReplayLog: true,
});

const isComplete = () => figures.steps >= FUZZ_STEPS;

const property = fc.asyncProperty(commands, async (steps) => {
  if (isComplete() && FUZZ_PATH === '') return;
  const sequence = await Sequence.start(platform, figures);
  try {
    await fc.asyncModelRun(() => ({ model: sequence.known, real: sequence }), steps);
    await assertPresent(sequence);
  } catch (error) {
    const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
    throw new Error(sequence.known.redact(`${reason}\n${sequence.journal.toString()}`), { cause: error });
  }
});

/** Runs the seeds of a lane until all lanes together have made their steps, or one has failed. */
async function runLane(lane: number, isOver: () => boolean): Promise<void> {
  for (let seed = FUZZ_SEED + lane; !isOver(); seed += LANES)
    await fc.assert(property, { seed, numRuns: SEQUENCES });
}

async function runLanes(): Promise<void> {
  let hasFailed = false;
  const isOver = () => hasFailed || isComplete();
  const lanes = Array.from({ length: LANES }, (_, lane) =>
    runLane(lane, isOver).catch((error: unknown) => {
      hasFailed = true;
      throw error;
    }),
  );
  const failed = (await Promise.allSettled(lanes)).find((result) => result.status === 'rejected');
  if (failed) throw failed.reason;
}

describe('ENV-30 ENV-41 AMB-58 SPK-25: a sequence of calls by two accounts', () => {
  it(`gets declared answers only, reveals no resource of the other account, and finds deleted, foreign and misplaced ids unknown (seed ${FUZZ_SEED})`, async () => {
    if (FUZZ_PATH !== '')
      return fc.assert(property, { seed: FUZZ_SEED, path: FUZZ_PATH, endOnFailure: true });
    await runLanes();
  }, 86_400_000);
});
