/** A mutant that no test can notice, because it changes nothing that anybody can observe. */
export interface Argued {
  readonly path: string;
  /** The line of the source, without space around it. */
  readonly line: string;
  /** What StrykerJS puts in the place of a part of it. */
  readonly replacement: string;
  /** Why nobody can observe the difference. */
  readonly reason: string;
}

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
];
