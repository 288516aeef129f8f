import type { Writable } from 'node:stream';
import { printable } from './printable.js';

const WIDTH = 28;
const REDRAW_MS = 100;
/** A log gets a line now and then. */
const LINE_EVERY_MS = 30_000;
/** The speed is that of the last seconds: of a resumed transfer, and after a pause, the average would be wrong. */
const SPEED_WINDOW_MS = 5_000;

/** A line that shows how far a transfer is: on a terminal one that changes, in a log another each half a minute. */
export class ProgressBar {
  readonly #label: string;
  readonly #samples: { readonly atMs: number; readonly bytes: number }[] = [];
  #drawnMs: number;
  #isDrawn = false;

  constructor(
    private readonly output: Writable & { readonly isTTY?: boolean },
    label: string,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    // The name of a file may come from others.
    this.#label = printable(label);
    this.#drawnMs = output.isTTY ? -Infinity : nowMs();
  }

  update(bytes: number, total: number): void {
    const now = this.nowMs();
    this.#samples.push({ atMs: now, bytes });
    while ((this.#samples[0]?.atMs ?? now) < now - SPEED_WINDOW_MS) this.#samples.shift();
    const since = now - this.#drawnMs;
    if (this.output.isTTY ? since < REDRAW_MS && bytes < total : since < LINE_EVERY_MS) return;
    this.#drawnMs = now;
    this.#isDrawn = this.output.isTTY === true;
    const line = progressLine(this.#label, bytes, total, this.#bytesPerSecond());
    this.output.write(this.output.isTTY ? `\r\u001b[K${line}` : `${line}\n`);
  }

  /** Ends the line, so that the next output begins in column 1. */
  end(): void {
    if (this.#isDrawn) this.output.write('\n');
    this.#isDrawn = false;
  }

  #bytesPerSecond(): number {
    const [first, last] = [this.#samples[0], this.#samples.at(-1)];
    if (!first || !last || last.atMs === first.atMs) return 0;
    return ((last.bytes - first.bytes) * 1_000) / (last.atMs - first.atMs);
  }
}

/** `photo.jpg  [#####-----]  50 %  512 MB of 1.0 GB  80 MB/s  6 s left` */
export function progressLine(label: string, bytes: number, total: number, bytesPerSecond: number): string {
  const share = total === 0 ? 1 : Math.min(1, bytes / total);
  const filled = Math.floor(share * WIDTH);
  const bar = `[${'#'.repeat(filled)}${'-'.repeat(WIDTH - filled)}]`;
  const percent = `${Math.floor(share * 100)}`.padStart(3);
  const speed =
    bytesPerSecond > 0 ? [`${bytesText(bytesPerSecond)}/s`, leftText(total - bytes, bytesPerSecond)] : [];
  return [label, bar, `${percent} %`, `${bytesText(bytes)} of ${bytesText(total)}`, ...speed].join('  ');
}

function leftText(bytes: number, bytesPerSecond: number): string {
  const seconds = Math.ceil(Math.max(0, bytes) / bytesPerSecond);
  return seconds < 60 ? `${seconds} s left` : `${Math.floor(seconds / 60)} min ${seconds % 60} s left`;
}

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'];

/** Bytes with three digits at most, in decimal units. */
export function bytesText(bytes: number): string {
  const step = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1_000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[step]}`;
}
