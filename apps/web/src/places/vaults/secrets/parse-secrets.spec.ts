import { describe, expect, it } from '@jest/globals';
import { parseSecrets } from './parse-secrets.js';

describe('secrets that are imported', () => {
  it.each([
    ['A=1\nB = two ', { A: '1', B: 'two' }],
    ['# comment\n\nexport TOKEN="a\\nb"\r\n', { TOKEN: 'a\nb' }],
    ["Q='a\\nb # c'", { Q: 'a\\nb # c' }],
    ['P=abc # comment', { P: 'abc' }],
    ['P=a#b=c', { P: 'a#b=c' }],
    ['{"a": 1, "b": {"c": null}}', { a: 1, b: { c: null } }],
  ])('are read from %j', (text, secrets) => {
    expect(parseSecrets(text)).toEqual({ secrets });
  });

  it('keep a name that objects have, too', () => {
    const parsed = parseSecrets('__proto__=x');
    expect('secrets' in parsed && Object.keys(parsed.secrets)).toEqual(['__proto__']);
  });

  it('name the line that is none', () => {
    expect(parseSecrets('A=1\nnothing')).toEqual({ problem: 'line', line: 2 });
  });

  it.each(['', '{}', '{"a":', '# only a comment'])('are not found in %j', (text) => {
    expect(parseSecrets(text)).toEqual({ problem: 'nothing' });
  });
});
