import { describe, expect, it } from '@jest/globals';
import { parseDotenv } from './dotenv.js';

const parsed = (text: string) => Object.fromEntries(parseDotenv(text));

describe('a dotenv file', () => {
  it.each([
    ['plain values', 'A=1\nB = two words \nC=', { A: '1', B: 'two words', C: '' }],
    ['export', 'export A=1\n  export\tB=2', { A: '1', B: '2' }],
    ['comments', '# x\nA=1 # one\nB=a#b\n\n #y\nC=#c', { A: '1', B: 'a#b', C: '' }],
    ['single quotes', "A='a\\n $B ${C} \"#'", { A: 'a\\n $B ${C} "#' }],
    ['backticks', 'A=`it\'s "so"` # x', { A: 'it\'s "so"' }],
    ['double quotes', String.raw`A="a\nb\t\"\\\$c # d"`, { A: 'a\nb\t"\\$c # d' }],
    ['several lines', 'A="one\ntwo"\nB=\'\nx\n\'\nC=3', { A: 'one\ntwo', B: '\nx\n', C: '3' }],
    ['CRLF and a byte order mark', '\ufeffA=1\r\nB="x\r\ny"\r\n', { A: '1', B: 'x\ny' }],
    ['a password', 'A=pa$$w=rd!%', { A: 'pa$$w=rd!%' }],
    ['__proto__', '__proto__=1', Object.fromEntries([['__proto__', '1']])],
    ['nothing', '\n# only a comment', {}],
  ])('CLI-09: is read as its programs read it: %s', (_, text, values) => {
    expect(parsed(text)).toEqual(values);
  });

  it.each([
    ['a line without =', 'A=1\nhunter2', 2],
    ['no name', 'A=1\n\n=hunter2', 3],
    ['a name with a space', 'A B=hunter2', 1],
    ['a name that begins with a digit', '1A=hunter2', 1],
    ['an open quote', 'A=1\nB="hunter2\n\n', 2],
    ['text after a quote', "A='x'hunter2", 1],
    ['an unknown escape', String.raw`A="hunter2\x"`, 1],
    ['a reference to another variable', 'B=1\nA=hunter2${B}', 2],
    ['a reference in double quotes', 'A="x\n${B}hunter2"', 2],
    ['a command', 'A=$(hunter2)', 1],
    ['a name that is set twice', 'A=hunter2\n#\nA=hunter2', 3],
  ])(
    'CLI-03 CLI-09: is refused with exit code 2 and the line, which is not repeated: %s',
    (_, text, line) => {
      const refusal = () => parseDotenv(text);
      expect(refusal).toThrow(expect.objectContaining({ exitCode: 2 }));
      expect(refusal).toThrow(new RegExp(`^Line ${line} `));
      expect(refusal).not.toThrow(/hunter2/);
    },
  );
});
