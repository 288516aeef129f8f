import { simpleCaseFolding } from './simple-case-folding.js';

// Names are ASCII for the most part, for which lower case is the folded form and the form is NFC.
const ASCII = /^\p{ASCII}*$/u;

/**
 * The form in which names of vaults, folders and ingots are compared: simple case folding of NFC, and nothing more (VLT-02,
 * AMB-15, OPEN-11). `x²` and `x2` are two names, and so are `ß` and `ss`; `É`, `é` and `e` with an accent of its own are one.
 * A folded letter can compose with the accent after it (`H` and U+0331), so the form is applied again.
 */
export function nameKey(name: string): string {
  if (ASCII.test(name)) return name.toLowerCase();
  return Array.from(name.normalize('NFC'), folded).join('').normalize('NFC');
}

/** Whether two names are one. */
export function isSameName(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

function folded(character: string): string {
  return simpleCaseFolding().get(character) ?? character;
}
