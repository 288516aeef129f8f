/** How a download ended; `unknown`: Forge could not be asked. */
export type Outcome = 'complete' | 'failed' | 'unknown';

export interface ProgressView {
  moved(bytes: number): void;
  /** The browser has not begun, and should have. */
  waits(isWaiting: boolean): void;
}

/** The answer of Forge (FRG-23). */
interface Progress {
  readonly bytes_downloaded: number;
  readonly status: 'pending' | 'active' | 'complete' | 'failed';
}

const STEP_MS = 1_000;
const BEGUN_WITHIN_STEPS = 8;
const FAILURES_MAX = 5;

/** Asks Forge how far the download of this URL is, until it ends. */
export async function follow(downloadUrl: string, view: ProgressView): Promise<Outcome> {
  const url = progressUrlOf(downloadUrl);
  let failures = 0;
  for (let step = 0; failures < FAILURES_MAX; step += 1) {
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
    const progress = await ask(url);
    failures = progress ? 0 : failures + 1;
    if (!progress) continue;
    if (progress.status === 'complete' || progress.status === 'failed') return progress.status;
    if (progress.status === 'active') view.moved(progress.bytes_downloaded);
    view.waits(progress.status === 'pending' && step >= BEGUN_WITHIN_STEPS);
  }
  return 'unknown';
}

function progressUrlOf(downloadUrl: string): string {
  const { origin, searchParams } = new URL(downloadUrl);
  return `${origin}/progress?${new URLSearchParams({ istk: searchParams.get('istk') ?? '' })}`;
}

async function ask(url: string): Promise<Progress | undefined> {
  try {
    const response = await fetch(url, { cache: 'no-store', signal: AbortSignal.timeout(10_000) });
    return response.ok ? ((await response.json()) as { progress: Progress }).progress : undefined;
  } catch {
    return undefined;
  }
}
