/**
 * Runs one step of the start and shows it: `  step … 1.2 s`.
 * @template T
 * @param {string} title
 * @param {(note: (text: string) => void) => Promise<T> | T} work may add notes to the line
 * @returns {Promise<T>}
 */
export async function step(title, work) {
  const began = Date.now();
  process.stdout.write(`  ${title} … `);
  try {
    const result = await work((text) => process.stdout.write(`${text} … `));
    process.stdout.write(`${seconds(began)}\n`);
    return result;
  } catch (error) {
    process.stdout.write('failed\n');
    throw error;
  }
}

/** @param {number} beganMs */
export function seconds(beganMs) {
  return `${((Date.now() - beganMs) / 1000).toFixed(1)} s`;
}

/** @param {string} text */
export function say(text) {
  process.stdout.write(`${text}\n`);
}
