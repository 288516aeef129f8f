import { describe, expect, it } from '@jest/globals';
import { csvRecord } from './csv.js';

describe('AUD-15: a record of a CSV export', () => {
  it.each([
    ['=1+1', "'=1+1"],
    ['+49 30', "'+49 30"],
    ['-2', "'-2"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', '"\'\t=1"'],
    ['\r=1', '"\'\r=1"'],
    ['\n=1', '"\'\n=1"'],
    ['＝1', "'＝1"],
    ['=HYPERLINK("https://x.test","y")', '"\'=HYPERLINK(""https://x.test"",""y"")"'],
  ])('keeps a spreadsheet from running %j', (cell, written) => {
    expect(csvRecord([cell])).toBe(`${written}\r\n`);
  });

  it('RFC 4180: quotes commas, quotes and line breaks, and ends in CRLF', () => {
    expect(csvRecord(['a', 'b,c', 'd"e', 'f\r\ng', '', 'h;=1', 'a=b', "'"])).toBe(
      'a,"b,c","d""e","f\r\ng",,"h;=1",a=b,\'\r\n',
    );
  });
});
