import { describe, expect, it } from '@jest/globals';
import { describeTests, idsIn, printable, testsOf } from './requirement-tests.ts';

describe('The tests of a requirement', () => {
  it('are printed below its sentence, with their file and the titles of their groups', () => {
    const printed = describeTests(['SPK-32']);
    expect(printed).toMatch(/^SPK-32: .+\n\n/);
    expect(printed).toMatch(/^ {2}apps\/sparks\/src\/spark\/burning\/burn\.race\.spec\.ts\n {4}- .+ › .+$/m);
  });

  it('of several ids are printed one after another', () => {
    expect(describeTests(['SPK-30', 'TRAP 12']).match(/^\S.*?(?=:)/gm)).toEqual(['SPK-30', 'TRAP 12']);
  });

  it('are not sought for an unknown id', () => {
    expect(() => describeTests(['SPK-30', 'XYZ-01'])).toThrow('Not in docs/requirements.md: XYZ-01');
  });

  it('are none for a requirement that no test cites', () => {
    expect(testsOf(['XYZ-01'])).toEqual(new Map());
  });
});

describe('The arguments', () => {
  it.each([
    ['several ids', ['SPK-32', 'ENV-01'], ['SPK-32', 'ENV-01']],
    ['ids with commas, and in lower case', ['spk-32,', 'env-01'], ['SPK-32', 'ENV-01']],
    [
      'TRAP in two words, in one and with a hyphen',
      ['TRAP', '51', 'TRAP 52', 'trap-53'],
      ['TRAP 51', 'TRAP 52', 'TRAP 53'],
    ],
  ])('may be %s', (_, args, ids) => {
    expect(idsIn(args)).toEqual(ids);
  });

  it('are refused if they are no ids', () => {
    expect(() => idsIn(['SPK-32', '--chekc'])).toThrow('Not an id of a requirement: --chekc');
  });
});

describe('A printed title', () => {
  it.each([
    ['a lone surrogate', 'refuses \ud800', 'refuses U+d800'],
    ['a control character', 'refuses \u0000', 'refuses U+0000'],
    ['a line break', 'refuses\n  one', 'refuses one'],
  ])('has no %s', (_, title, printed) => {
    expect(printable(title)).toBe(printed);
  });
});
