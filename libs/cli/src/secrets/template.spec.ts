import { describe, expect, it } from '@jest/globals';
import { Template } from './template.js';

const values = new Map([
  ['USER', 'ann'],
  ['DB.password', '$& {{ USER }} $1'],
]);

describe('a template', () => {
  it('CLI-09: gets values where it names them, exactly, and only there', () => {
    const template = new Template('u={{ USER }}\np="{{DB.password}}" {{USER}} { } }} {x}');
    expect(template.names).toEqual(['USER', 'DB.password']);
    expect(template.render(values)).toBe('u=ann\np="$& {{ USER }} $1" ann { } }} {x}');
  });

  it('CLI-09: has two braces as they are after a backslash', () => {
    const template = new Template('\\{{ .Values }} {{ USER }}');
    expect([template.names, template.render(values)]).toEqual([['USER'], '{{ .Values }} ann']);
  });

  it.each([
    ['a\n{{ }}', 2],
    ['{{ USER }}\n\n{{ A B }}', 3],
    ['{{ USER', 1],
    ['{{ USER\n}}', 1],
    ['{{{ USER }}}', 1],
    ['{{ 1 }}', 1],
  ])('CLI-03 CLI-09: is refused with exit code 2 and the line if it has other braces: %j', (text, line) => {
    expect(() => new Template(text)).toThrow(
      expect.objectContaining({ exitCode: 2, message: expect.stringMatching(new RegExp(`^Line ${line} `)) }),
    );
  });
});
