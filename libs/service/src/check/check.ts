/** One thing that a service needs, tried without starting it. */
export interface Check {
  /** One word, such as `nats`. */
  readonly name: string;
  /** Resolves to what was found; throws what is wrong. */
  readonly run: () => Promise<string>;
  /** A sentence that says what to do when it fails. */
  readonly advice: string;
}

/** The result of a check, as a line of the report. */
export interface CheckResult {
  readonly name: string;
  readonly isGood: boolean;
  readonly text: string;
}

const LIMIT_MS = 15_000;

/** Runs a check; it fails after 15 seconds. Never rejects. */
export async function resultOf({ name, run, advice }: Check): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer within 15 seconds')), LIMIT_MS);
  });
  try {
    return { name, isGood: true, text: await Promise.race([run(), late]) };
  } catch (error) {
    return { name, isGood: false, text: `${problemOf(error)}. ${advice}` };
  } finally {
    clearTimeout(timer);
  }
}

/** The message of the error and those of its causes, which say what a server answered: their first lines. */
function problemOf(error: unknown): string {
  const messages: string[] = [];
  let one = error;
  while (one instanceof Error && messages.length < 3) {
    messages.push(one.message.split('\n')[0] ?? '');
    one = one.cause;
  }
  return [...new Set(messages.filter(Boolean))].join(': ') || 'an unknown failure';
}

/** `ok` or `FAIL`, the name, and what was found or is to be done. */
export function lineOf({ name, isGood, text }: CheckResult): string {
  return `${isGood ? 'ok  ' : 'FAIL'}  ${name.padEnd(22)}  ${text}\n`;
}
