/**
 * Runs one step of the start and prints it with its duration: `  step … 1.2 s`.
 * @param work may append notes to the line
 */
export async function step<T>(
  title: string,
  work: (note: (text: string) => void) => Promise<T> | T,
): Promise<T> {
  const startedAt = Date.now();
  process.stdout.write(`  ${title} … `);
  try {
    const result = await work((text) => process.stdout.write(`${text} … `));
    process.stdout.write(`${seconds(startedAt)}\n`);
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}

export function seconds(startedAtMs: number) {
  return `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`;
}

export function say(text: string) {
  process.stdout.write(`${text}\n`);
}
