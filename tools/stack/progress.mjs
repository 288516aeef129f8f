/**
 * Runs one step of the start and prints it with its duration: `  step … 1.2 s`.
 * @template T
 * @param {string} title
 * @param {(note: (text: string) => void) => Promise<T> | T} work may append notes to the line
 * @returns {Promise<T>}
 */
export async function step(title, work) {
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

/** @param {number} startedAtMs */
export function seconds(startedAtMs) {
  return `${((Date.now() - startedAtMs) / 1000).toFixed(1)} s`;
}

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`);
}
