import { describe, expect, it } from '@jest/globals';
import { canonicalUrl, formatCanonicalUrl, urlExpressions, urlHashes } from './url-hashing.js';

describe('OPEN-26 SPK-01: the longest URL', () => {
  it.each([
    ['nested escapes', `%${'25'.repeat(63_980)}41`],
    ['plain escapes', '%41'.repeat(42_000)],
    ['folders', 'a/../'.repeat(25_000)],
    ['slashes', '/'.repeat(127_000)],
  ])('is hashed in time that grows with its length where it has %s', (_, path) => {
    const before = process.cpuUsage();
    expect(urlHashes(`https://a.example/${path}?${path}`)).not.toHaveLength(0);
    // Processor time, in microseconds: half a second, which other processes do not lengthen. Decoding one escape at a time takes minutes.
    expect(process.cpuUsage(before).user).toBeLessThan(10_000_000);
  });

  it('with nested escapes is decoded to the last', () => {
    expect(canonicalUrl(`https://a.example/%${'25'.repeat(127_980)}41`).path).toBe('/A');
  });
});

describe('OPEN-26: canonicalUrl', () => {
  it.each([
    ['http://host/%25%32%35', 'http://host/%25'],
    ['http://host/%25%32%35%25%32%35', 'http://host/%25%25'],
    ['http://host/%2525252525252525', 'http://host/%25'],
    ['http://host/asdf%25%32%35asd', 'http://host/asdf%25asd'],
    ['http://host/%%%25%32%35asd%%', 'http://host/%25%25%25asd%25%25'],
    ['http://www.google.com/', 'http://www.google.com/'],
    [
      'http://%31%36%38%2e%31%38%38%2e%39%39%2e%32%36/%2E%73%65%63%75%72%65/%77%77%77%2E%65%62%61%79%2E%63%6F%6D/',
      'http://168.188.99.26/.secure/www.ebay.com/',
    ],
    [
      'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
      'http://195.127.0.11/uploads/%20%20%20%20/.verify/.eBaysecure=updateuserdataxplimnbqmn-xplmvalidateinfoswqpcmlx=hgplmcx/',
    ],
    [
      'http://host%23.com/%257Ea%2521b%2540c%2523d%2524e%25f%255E00%252611%252A22%252833%252944_55%252B',
      'http://host%23.com/~a!b@c%23d$e%25f^00&11*22(33)44_55+',
    ],
    ['http://3279880203/blah', 'http://195.127.0.11/blah'],
    ['http://www.google.com/blah/..', 'http://www.google.com/'],
    ['www.google.com/', 'http://www.google.com/'],
    ['www.google.com', 'http://www.google.com/'],
    ['http://www.evil.com/blah#frag', 'http://www.evil.com/blah'],
    ['http://www.GOOgle.com/', 'http://www.google.com/'],
    ['http://www.google.com.../', 'http://www.google.com/'],
    ['http://www.google.com/foo\tbar\rbaz\n2', 'http://www.google.com/foobarbaz2'],
    ['http://www.google.com/q?', 'http://www.google.com/q?'],
    ['http://www.google.com/q?r?', 'http://www.google.com/q?r?'],
    ['http://www.google.com/q?r?s', 'http://www.google.com/q?r?s'],
    ['http://evil.com/foo#bar#baz', 'http://evil.com/foo'],
    ['http://evil.com/foo;', 'http://evil.com/foo;'],
    ['http://evil.com/foo?bar;', 'http://evil.com/foo?bar;'],
    ['http://%01%80.com/', 'http://%01%80.com/'],
    ['http://notrailingslash.com', 'http://notrailingslash.com/'],
    ['http://www.gotaport.com:1234/', 'http://www.gotaport.com/'],
    ['  http://www.google.com/  ', 'http://www.google.com/'],
    ['http:// leadingspace.com/', 'http://%20leadingspace.com/'],
    ['http://%20leadingspace.com/', 'http://%20leadingspace.com/'],
    ['%20leadingspace.com/', 'http://%20leadingspace.com/'],
    ['https://www.securesite.com/', 'https://www.securesite.com/'],
    ['http://host.com/ab%23cd', 'http://host.com/ab%23cd'],
    ['http://host.com//twoslashes?more//slashes', 'http://host.com/twoslashes?more//slashes'],
  ])('converts %j to %j, an example of the document', (url, canonical) =>
    expect(formatCanonicalUrl(canonicalUrl(url))).toBe(canonical),
  );

  it.each([
    ['http://www.ümlat.com/ü', 'http://www.xn--mlat-zra.com/%C3%BC'],
    ['http://012.034.01.055/', 'http://10.28.1.45/'],
    ['http://0x12.0x43.0x44.0x01', 'http://18.67.68.1/'],
    ['http://[2001:0db8:0000::1]:80/a', 'http://[2001:db8::1]/a'],
    ['http://a.com/foo/.././bar/./../foo.html', 'http://a.com/foo.html'],
    ['http://a.com/%2e%2e/a/%2E', 'http://a.com/a/'],
    ['http://a.com/q%3Fr', 'http://a.com/q?r'],
    ['http://a.com/../../..', 'http://a.com/'],
  ])('converts %j to %j', (url, canonical) => expect(formatCanonicalUrl(canonicalUrl(url))).toBe(canonical));
});

describe('OPEN-26: the expressions of a URL', () => {
  it.each([
    [
      'http://a.b.c/1/2.html?param=1',
      [
        'a.b.c/1/2.html?param=1',
        'a.b.c/1/2.html',
        'a.b.c/',
        'a.b.c/1/',
        'b.c/1/2.html?param=1',
        'b.c/1/2.html',
        'b.c/',
        'b.c/1/',
      ],
    ],
    [
      'http://a.b.c.d.e.f.g/1.html',
      ['a.b.c.d.e.f.g', 'c.d.e.f.g', 'd.e.f.g', 'e.f.g', 'f.g'].flatMap((host) => [
        `${host}/1.html`,
        `${host}/`,
      ]),
    ],
    ['http://1.2.3.4/1/', ['1.2.3.4/1/', '1.2.3.4/']],
    ['http://[2001:470::1]/a/b', ['[2001:470::1]/a/b', '[2001:470::1]/', '[2001:470::1]/a/']],
    ['http://a.b/?', ['a.b/']],
    ['http://b/', ['b/']],
    ['http://a.b/1/2/3/4/5/', ['a.b/1/2/3/4/5/', 'a.b/', 'a.b/1/', 'a.b/1/2/', 'a.b/1/2/3/']],
    [
      'http://a.b/1/2/3/4/5.html?q',
      ['a.b/1/2/3/4/5.html?q', 'a.b/1/2/3/4/5.html', 'a.b/', 'a.b/1/', 'a.b/1/2/', 'a.b/1/2/3/'],
    ],
  ])('%s', (url, expressions) => expect(urlExpressions(url)).toEqual(expressions));

  it('are at most thirty', () => {
    const url = `http://${'a.'.repeat(100)}com/${'b/'.repeat(500)}c?d`;
    expect(urlExpressions(url)).toHaveLength(30);
  });

  it('are hashed by SHA-256, whose prefixes are on the lists', () => {
    const [hash] = urlHashes('http://abc/');
    expect(hash?.toString('hex')).toBe('ee08f01097d67f8734bf38a4b893a8fc429d891cfa23b930f2859ccd60ae54b2');
  });
});
