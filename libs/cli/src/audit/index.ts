export { linesOf, splitLines, tilesIn } from './export-file.js';
export { failure, success } from './verdict.js';
