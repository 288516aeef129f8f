export { isSameName, nameKey } from './name-key.js';
export { simpleCaseFolding } from './simple-case-folding.js';
