import { describe, expect, it } from '@jest/globals';
import { hostCookie, readCookie } from './index.js';

const name = '__Host-vk_refresh';
const read = (header: string | undefined) => readCookie(header, name);

describe('AUTH-14 AUTH-28: readCookie', () => {
  it.each([
    ['alone', `${name}=vkr_a-b_c`, 'vkr_a-b_c'],
    ['among others', `a=1; ${name}=v; b=2`, 'v'],
    ['without blanks', `a=1;${name}=v;b=2`, 'v'],
    ['after other blanks', `a=1; \t ${name}=v;b=2`, 'v'],
    ['with equals signs in it', `${name}=a=b==`, 'a=b=='],
    ['after empty pairs', `; ;;=;${name}=v`, 'v'],
    ['after 500 others', `${'x=y; '.repeat(500)}${name}=v`, 'v'],
    ['when it has 8,000 characters', `${name}=${'v'.repeat(8_000)}`, 'v'.repeat(8_000)],
    ['between names that begin or end as it does', `x${name}=o; ${name}=v; ${name}x=o`, 'v'],
  ])('finds a cookie %s', (_, header, value) => {
    expect(read(header)).toBe(value);
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['other cookies only', 'a=1; vk_refresh=v; Host-vk_refresh=v'],
    ['another spelling', '__host-vk_refresh=v; __Host-VK_refresh=v'],
    ['an empty value', `${name}=`],
    ['a name without a value', name],
    ['a blank before the equals sign', `${name} =v`],
    ['a value in quotes', `${name}="v"`],
    ['a quote that swallows it', `a="; ${name}=v"`],
    ['a blank after the value', `${name}=v ; a=1`],
    ['a blank within the value', `${name}=v w`],
    ['a comma within the value', `${name}=v,w`],
    ['a backslash', `${name}=v\\w`],
    ['a control character', `${name}=v\u0001`],
    ['a letter beyond ASCII', `${name}=v\u00e9`],
    ['a no-break space before the name, which trim() would take off', `\u00a0${name}=v`],
    ['a next-line character before the name', `\u0085${name}=v`],
    ['the cookie after a version, as in RFC 2965', `$Version=1,${name}=v`],
    ['a name that is encoded', `${encodeURIComponent('_')}%5FHost-vk_refresh=v`],
  ])('finds nothing in %s', (_, header) => {
    expect(read(header)).toBeUndefined();
  });

  it.each([
    `${name}=v; ${name}=w`,
    `${name}=v; ${name}=v`,
    `${name}=v; a=1; ${name}=`,
    `${name}=; ${name}=v`,
    `${name}=v;${name}="w"`,
  ])('finds nothing where a name occurs twice: %s', (header) => {
    expect(read(header)).toBeUndefined();
  });

  it('reads a header full of semicolons, blanks or names in linear time', () => {
    for (const part of [';', ' ', ';\t', 'a \t', `${name}=v;`, `${name} `]) {
      // CPU time, which the load of the machine does not change.
      const before = process.cpuUsage();
      readCookie(`a${part.repeat(16_000)}a`, name);
      expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
    }
  });
});

describe('AUTH-17 AUTH-29: hostCookie', () => {
  it('sets every attribute that __Host- requires, and no Domain', () => {
    expect(hostCookie(name, 'v', 2_592_000)).toBe(
      '__Host-vk_refresh=v; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=2592000',
    );
    expect(hostCookie(name, '', 0)).toBe(
      '__Host-vk_refresh=; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=0',
    );
  });

  it.each(['v; Domain=evil.test', 'v\r\nSet-Cookie: a=b', 'v,w', 'v w', '"v"', 'v\0', 'é'])(
    'throws for the value %j',
    (value) => {
      expect(() => hostCookie(name, value, 1)).toThrow('cookie octets');
    },
  );
});
