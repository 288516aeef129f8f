import { mkdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { loadConfig, oneOf, Setting } from '@vaultsvc/config';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.js';
import { measureLegibility } from './legibility.js';

class LooksConfig {
  @Setting(
    oneOf('one', 'all'),
    'Whether each state of a page is looked at once or in all looks; `npm run looks` sets `all`.',
  )
  LOOKS: 'one' | 'all' = 'one';
}

export interface Look {
  readonly size: 'phone' | 'desktop';
  readonly colorScheme: 'light' | 'dark';
}

/** Neighbours differ in size and scheme, so that two states in a row show both widths and both schemes. */
const all: readonly Look[] = [
  { size: 'phone', colorScheme: 'light' },
  { size: 'desktop', colorScheme: 'dark' },
  { size: 'phone', colorScheme: 'dark' },
  { size: 'desktop', colorScheme: 'light' },
];

/** The narrowest width at which a page must not scroll sideways (WCAG 2.2, 1.4.10), and that of a small laptop. */
const viewports = { phone: { width: 320, height: 740 }, desktop: { width: 1_280, height: 800 } };

/**
 * Looks at the states of a page. The width affects the layout and the scheme the colours, and a fault of a style shows in
 * many states: a run of all tests looks at each state in one of the four combinations and at the next in the next,
 * `npm run looks` in all four.
 */
export class Looks {
  readonly #folder: string;
  readonly #viewports: typeof viewports;
  #states = 0;

  /**
   * @param subject names the folder of the screenshots, which are for people
   * @param own viewports of a page that is made for others
   */
  constructor(subject: string, own: Partial<typeof viewports> = {}) {
    this.#folder = join(tmpdir(), `vaultsvc-pages-${process.getuid?.()}`, subject);
    this.#viewports = { ...viewports, ...own };
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Checks the state that the page shows: it fits, can be read, and axe finds nothing wrong. */
  async check(page: Page, name: string): Promise<void> {
    await this.each(page, name, async ({ size }) => {
      const { overflow, contrast } = await measureLegibility(page);
      expect({ name, size, overflow }).toEqual({ name, size, overflow: 0 });
      expect(contrast).toBeGreaterThanOrEqual(4.5);
    });
  }

  /** Shows the state in the looks that are its turn, keeps a picture, and lets axe and the caller judge it. */
  async each(page: Page, name: string, judge: (look: Look) => Promise<void> = () => Promise.resolve()) {
    for (const look of this.#next()) {
      const { size, colorScheme } = look;
      await page.setViewportSize(this.#viewports[size]);
      await page.emulateMedia({ colorScheme });
      await page.evaluate(SETTLED);
      await keepPicture(page, join(this.#folder, `${name}-${size}-${colorScheme}.png`));
      await judge(look);
      expect({ name, look, violations: await axeViolations(page) }).toEqual({ name, look, violations: [] });
    }
  }

  #next(): readonly Look[] {
    const turn = this.#states++ % all.length;
    return loadConfig(LooksConfig).LOOKS === 'all' ? all : all.slice(turn, turn + 1);
  }
}

/** Two frames for observers of sizes, and the end of the transitions that another scheme begins. */
const SETTLED = `new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))).then(() =>
  Promise.allSettled(document.getAnimations().filter((one) => one instanceof CSSTransition).map((one) => one.finished)))`;

const PICTURES_MAX = 5;

/** On a busy machine Chromium sometimes has no frame to give. The picture is for people, so it is asked for again. */
async function keepPicture(page: Page, path: string): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return void (await page.screenshot({ path, fullPage: true }));
    } catch (error) {
      const hasNoFrame = String(error).includes('Unable to capture screenshot');
      if (!hasNoFrame || tries === PICTURES_MAX) throw error;
    }
  }
}
