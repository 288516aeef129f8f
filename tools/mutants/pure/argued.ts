import type { Argued } from '../argued.ts';

/** Each argument is of one mutant. `npm run mutants:pure` fails for one that is killed, or that is no mutant. */
export const argued: readonly Argued[] = [
  {
    path: 'libs/limits/src/fixed-window.ts',
    line: "const [head = '', tail] = (address.split('%')[0] as string).split('::') as [string, string?];",
    replacement: '"Stryker was here!"',
    reason: 'A text that is split has a first part: the default is for the compiler.',
  },
  {
    path: 'libs/limits/src/fixed-window.ts',
    line: "const right = tail ? tail.split(':') : [];",
    replacement: '["Stryker was here"]',
    reason: 'Without groups after `::` one more of them comes after seven others, and only four are used.',
  },
  {
    path: 'libs/limits/src/fixed-window.ts',
    line: 'const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);',
    replacement: 'false',
    reason: 'An address without `::` has seven groups at least, so that zeros after them are not used.',
  },
  {
    path: 'libs/crypto/src/kdf/kdf.ts',
    line: 'if (info.length <= NODE_INFO_BYTES_MAX)',
    replacement: 'info.length < NODE_INFO_BYTES_MAX',
    reason: 'Of an info of exactly 1,024 bytes both ways derive the same.',
  },
  {
    path: 'libs/crypto/src/kdf/kdf.ts',
    line: 'if (info.length <= NODE_INFO_BYTES_MAX)',
    replacement: 'false',
    reason: 'Both ways derive the same; one is faster.',
  },
  {
    path: 'libs/crypto/src/kdf/kdf.ts',
    line: 'for (let index = 0; index < blocks; index += 1) {',
    replacement: 'index <= blocks',
    reason: 'A block too many does not fit into the output, and is not copied.',
  },
];
