// How soon the web application answers a person in a folder of many files, with a processor that is slowed down.
import { parseArgs } from 'node:util';
import { chromium, type CDPSession, type Locator, type Page } from 'playwright-core';
import type { StackDescription } from '../../stack/descriptor.ts';
import { withTemporaryStack } from '../../stack/temporary-stack.ts';
import { ensureChromium } from '../../stack/servers/install.ts';
import { median, say, table } from '../report.ts';
import { fillVault, type FilledVault } from './fill-vault.ts';
import { interactions, watchInteractions } from './interactions.ts';
import { openFiles } from './open-files.ts';

/** A phone of the middle class beside a developer's machine. */
const SLOWED = 4;

/** `npm run bench -- web`. `args`: the arguments after the name. */
export async function benchWeb(args: string[]) {
  const { values } = parseArgs({
    args,
    options: { files: { type: 'string', default: '1000' }, rounds: { type: 'string', default: '20' } },
  });
  const executablePath = await ensureChromium();
  await withTemporaryStack((stack) =>
    measure(stack, { executablePath, files: Number(values.files), rounds: Number(values.rounds) }),
  );
}

interface Options {
  executablePath: string;
  files: number;
  rounds: number;
}

async function measure(stack: StackDescription, { executablePath, files, rounds }: Options) {
  say(`storing ${files} files`);
  const vault = await fillVault(stack, files);
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await watchInteractions(page);
    await openFiles(page, stack, vault);
    const session = await page.context().newCDPSession(page);
    say(`${rounds} rounds, the processor slowed ${SLOWED} times`);
    report(await measureActs(page, session, vault, rounds), files);
  } finally {
    await browser.close();
  }
}

type Act = (page: Page, vault: FilledVault, round: number) => Promise<void>;

/** After it an input has its picture. The bench looks at the page only then: its own looking would delay the picture. */
const PICTURE_MS = 600;

/** A press as the browser gets it from a mouse. That of a locator looks at the page during the press. */
async function press(page: Page, locator: Locator) {
  await locator.scrollIntoViewIfNeeded();
  await page.waitForTimeout(PICTURE_MS);
  const box = await locator.boundingBox();
  if (!box) throw new Error(`nothing to press: ${String(locator)}`);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
  await page.waitForTimeout(PICTURE_MS);
}

async function type(page: Page, ...keys: string[]) {
  for (const key of keys) {
    await page.keyboard.press(key);
    await page.waitForTimeout(PICTURE_MS);
  }
}

/** Acts of a person in a folder. Each leaves the page as it was before. */
const acts: ReadonlyMap<string, Act> = new Map<string, Act>([
  [
    'opens a file, and closes it',
    async (page, { names }, round) => {
      await press(page, page.getByRole('button', { name: names[round % 8] as string, exact: true }));
      await page.getByRole('dialog').waitFor();
      await type(page, 'Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
  ],
  [
    'searches, and forgets it',
    async (page, { names }) => {
      await press(page, page.getByRole('searchbox'));
      await type(page, '9', '9');
      await page.getByRole('button', { name: names[99] as string, exact: true }).waitFor();
      await type(page, 'Backspace', 'Backspace');
      await page.getByRole('button', { name: names[0] as string, exact: true }).waitFor();
    },
  ],
  [
    'goes down and up by the keyboard',
    async (page) => {
      await press(page, page.getByRole('main').getByRole('heading').first());
      await type(page, 'End', 'PageUp', 'PageUp', 'Home');
    },
  ],
]);

interface Measured {
  act: string;
  milliseconds: readonly number[];
}

async function measureActs(page: Page, session: CDPSession, vault: FilledVault, rounds: number) {
  const measured: Measured[] = [];
  for (const [act, perform] of acts) {
    await perform(page, vault, 0);
    await interactions(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWED });
    for (let round = 1; round <= rounds; round++) await perform(page, vault, round);
    await session.send('Emulation.setCPUThrottlingRate', { rate: 1 });
    measured.push({ act, milliseconds: await interactions(page) });
  }
  return measured;
}

function report(measured: readonly Measured[], files: number) {
  const cells = measured.map(({ act, milliseconds }) => [
    act,
    milliseconds.length,
    median(milliseconds).toFixed(0),
    quantile(milliseconds, 0.98).toFixed(0),
    Math.max(...milliseconds).toFixed(0),
  ]);
  const title = `A folder of ${files} files, the processor slowed ${SLOWED} times: milliseconds from an input to the next picture`;
  table(title, ['a person', 'inputs', 'median', '98 %', 'most'], cells);
}

function quantile(numbers: readonly number[], part: number) {
  return numbers.toSorted((a, b) => a - b)[Math.floor((numbers.length - 1) * part)] ?? Number.NaN;
}
